import type { DecisionAnswer } from "@offers/contract/decision";
import type { TagCauseCode, Trigger } from "@offers/contract/words";
import type { Refusal } from "../commands/await-consent.ts";
import type { LoaderTag, Options } from "../wire/visit.ts";

/** What has become of a tag so far. */
export type Happening =
  /** `isForeign`: within another site's frame. `isSettled`: whether consent is given or refused by now. */
  | { at: "start"; options: Options; isForeign: boolean; isSettled: boolean }
  /** Consent is refused by now. `isThere`: the page has the platform's function; `isFrame`: within a frame. */
  | { at: "refused"; options: Options; refusal: Refusal; isThere: boolean; isFrame: boolean }
  /**
   * `ruledOut`: the path of a page on which the website wants no overlay; `""` on others. `trigger`: what is waited for.
   * `simulated`: the place that was asked for, each part `""` where it was not. `hasOpener`: whether an element matches the tag's.
   */
  | {
      at: "decision";
      options: Options;
      decision: DecisionAnswer;
      ruledOut: string;
      trigger: Trigger;
      simulated: LoaderTag["simulated"];
      hasOpener: boolean;
    }
  /** Some seconds after a decision by which it may open; `obstacle`: what is in its way. */
  | { at: "waiting"; obstacle: string }
  | { at: "shown"; options: Options; offers: number }
  /**
   * `reason`: why there is no place for a section, else `""`. `code`: of the service's problem document, `""` where there
   * was none; `status` is 0 without an answer.
   */
  | { at: "error"; options: Options; reason: string; status: number; code: string; says: string };

/** One line for the page's author; `causes` are what `website check` may name. */
export type Explanation = {
  verdict: string;
  reason: string;
  fix: string;
  causes?: readonly TagCauseCode[] | undefined;
};

/** Explains what has just become of a tag; null while more is to come that says it better. */
export function explain(now: Happening): Explanation | null {
  switch (now.at) {
    case "start":
      return explainStart(now);
    case "refused":
      return explainRefused(now);
    case "decision":
      return explainDecision(now);
    case "waiting":
      return { verdict: "waiting", reason: now.obstacle, fix: "nothing is to be changed" };
    case "shown":
      return explainShown(now.offers);
    case "error":
      return explainError(now);
    default:
      return now satisfies never;
  }
}

function explainStart({
  options,
  isForeign,
  isSettled,
}: Extract<Happening, { at: "start" }>): Explanation | null {
  const { pub, website, mode, consent, frequency } = options;
  const missing = [!pub && "data-pub", !website && "data-website"].filter(Boolean).join(" and no ");
  if (missing) {
    return {
      verdict: "nothing was asked",
      reason: `the tag has no ${missing}`,
      fix: "copy the tag again, or say them by init",
      causes: ["no_call"],
    };
  }
  if (mode && !/^(overlay|section)$/.test(String(mode))) {
    return {
      verdict: "nothing was asked",
      reason: `data-mode is ${mode}, which begins nothing by itself`,
      fix: "nothing where the page only declines; else overlay or section",
    };
  }
  if (isForeign && !("frame" in options)) {
    return {
      verdict: "nothing was asked",
      reason: "this is another site's frame",
      fix: "add data-frame",
    };
  }
  if (consent && consent !== "none" && !isSettled) {
    const isKnown = consent === "manual" || platformOf(consent);
    return {
      verdict: "waiting",
      reason: `data-consent="${consent}": ${isKnown ? "" : "none of tcf, gpp, manual and none, so as with manual "}nothing is asked before there is consent`,
      fix: platformOf(consent) ? "agree in the page's consent dialog" : agreeing,
      causes: ["no_call"],
    };
  }
  if (frequency && !/^(page|closed|day)$/.test(frequency as string))
    return {
      verdict: "passed over",
      reason: `data-frequency is ${frequency}`,
      fix: "write page, closed or day",
    };
  return null;
}

const agreeing = 'have the page say offerService("consent", true) once its visitor has agreed';

/** The function of the consent platform that is listened to; `""`: it is the page that says it. */
export const platformOf = (consent: unknown): string =>
  consent === "tcf" ? "__tcfapi" : consent === "gpp" ? "__gpp" : "";

function explainRefused({
  options: { consent, consentPurposes, consentTimeout },
  refusal,
  isThere,
  isFrame,
}: Extract<Happening, { at: "refused" }>): Explanation {
  const platform = platformOf(consent);
  const refused = (reason: string, fix: string): Explanation => ({
    verdict: "no consent",
    reason,
    fix,
    causes: ["no_call"],
  });
  if (!platform) return refused('the page has said offerService("consent", false)', agreeing);
  if (refusal === "stop") {
    return refused(
      `${platform} says no to purposes ${consentPurposes ?? "2,7"} (data-consent-purposes)${consent === "gpp" ? ", or has an opt-out, in a section that applies" : ""}`,
      "agree in the page's consent dialog",
    );
  }
  const within = `within ${consentTimeout ?? 10000} ms (data-consent-timeout)`;
  return isThere
    ? refused(
        `${platform} is there and has not answered ${within}, or has failed`,
        'look at its settings for this page; offerService("page") asks it again',
      )
    : refused(
        `no ${platform} has come ${isFrame ? "into this frame " : ""}${within}`,
        isFrame
          ? "hand the page's on to its frame: the guide, Consent"
          : "load the consent platform, or change data-consent",
      );
}

function explainDecision(now: Extract<Happening, { at: "decision" }>) {
  const { options, decision, ruledOut, trigger, simulated, hasOpener } = now;
  const { allowed, country, region, blocked, settings } = decision;
  const code = [country, region].filter(Boolean).join("-");
  // A region may be asked for with its country before it, and without any.
  const isTaken =
    code.startsWith(simulated.country.toUpperCase()) && code.endsWith(simulated.region.toUpperCase());
  const place = `${country === "ZZ" ? "an unknown place" : code}${isTaken ? "" : " (the simulated place was not taken: no development website)"}`;
  if (options.mode === "section") return null;
  if (allowed) {
    return {
      verdict: "allowed",
      reason: `the website's rule lets visitors from ${place} see the page, or it blocks nobody, or is paused`,
      fix: "on a development website ?dev-country= with a country that your rule blocks shows it, or change the rule",
      causes: ["blocks_nobody", "paused"],
    } satisfies Explanation;
  }
  const verdict = `blocked (${blocked?.reason}, ${place})`;
  if (ruledOut) {
    return {
      verdict,
      reason: `the website's page rules keep the overlay from ${ruledOut}`,
      fix: 'change them by website update; offerService("open") opens it here too',
    };
  }
  if (!settings.show) {
    const opener = trigger === "click" && options.opener ? `a press of ${options.opener} or ` : "";
    return {
      verdict,
      reason: `this visitor ${settings.hidden === "shown_today" ? "was shown" : "has closed"} the overlay today (frequency ${settings.frequency})`,
      fix: `${opener}offerService("open") opens it; data-frequency="page" opens it on every page`,
    };
  }
  if (blocked?.dismissible === false) return null;
  const isUnknown = options.trigger && options.trigger !== trigger;
  if (trigger === "immediate" && !isUnknown) return null;
  return {
    verdict,
    reason: `the overlay waits for its trigger, ${trigger}${isUnknown ? `; ${options.trigger} is none` : ""}${trigger === "click" && options.opener && !hasOpener ? `; nothing matches ${options.opener}` : ""}`,
    fix: 'data-trigger="immediate" opens it once nothing is in its way',
  };
}

function explainShown(offers: number): Explanation {
  if (offers > 0)
    return {
      verdict: "shown",
      reason: `offers: ${offers}`,
      fix: "nothing is to be changed",
    };
  return {
    verdict: "no offer is shown",
    reason: "the allowlist permits none, none covers this place, or their budgets are used up",
    fix: "permit more, or create offers",
    causes: ["allowlist_empty", "no_offer_permitted", "no_offer_for_place"],
  };
}

function explainError({
  reason,
  status,
  code,
  says,
  options,
}: Extract<Happening, { at: "error" }>): Explanation {
  const { container } = options;
  const refused = (reason: string, fix: string, causes?: readonly TagCauseCode[]): Explanation => ({
    verdict: "nothing is shown",
    reason,
    fix,
    causes,
  });
  if (reason === "no_container") {
    return refused(
      container
        ? `the page has no element ${container}`
        : "the tag names no place, and stands where nothing is drawn",
      "put it into the page, and name it by data-container",
    );
  }
  if (reason === "too_narrow") {
    return refused("the section's place is narrower than 240 pixels", "give it more room");
  }
  if (code === "origin_not_allowed") {
    return refused(
      "data-pub, data-website and this page's origin do not belong together",
      "copy the tag again, or add the origin in the website's settings",
      ["wrong_public_key", "wrong_website", "unknown_website", "origin_not_registered", "insecure_origin"],
    );
  }
  if (status === 429) {
    return refused(
      "this visitor's address exceeds a limit of calls",
      "wait a minute; behind a proxy set TRUST_PROXY_HOPS",
      ["rate_limited"],
    );
  }
  if (status === 0) {
    return refused(
      "the service gave no answer that this page may read",
      "run the service, register the page's origin, and name the service in script-src and connect-src",
      ["service_silent", "origin_not_registered", "insecure_origin"],
    );
  }
  return refused(
    `the service answered ${status}${code && ` ${code}`}`,
    says || "look at the browser's list of requests",
  );
}
