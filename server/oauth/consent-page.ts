import { durationWords } from "@offers/contract/duration-words";
import { oauthLifetimes } from "@offers/contract/oauth";
import type { Scope } from "@offers/contract/words";
import type { Membership, SignedIn } from "../core/signed-in.ts";
import type { Answer } from "../http/call.ts";
import { escapeHtml } from "../http/escape-html.ts";
import { formPage } from "../http/form-page.ts";

/** What a scope means to somebody who has never heard the word. */
const scopeWords: Readonly<Record<Scope, string>> = {
  "decision:read": "Ask whether a visitor of your websites sees the page or offers",
  "offers:read": "See the offers that your websites may show",
  "events:write": "Report offers that were shown and clicked on your websites",
  "reports:read": "Read your reports, and why a visitor was shown what",
};

export type Consent = {
  uid: string;
  partner: string;
  scopes: readonly Scope[];
  who: SignedIn;
  /** The publishers that the person may connect; none: nothing can be allowed. */
  publishers: readonly Membership[];
  /** The publisher that they have chosen already, where it is one of these. */
  chosen: string | null;
  /** Where the partner is told. */
  redirectUri: string;
  /** What was wrong with the answer before. */
  complaint?: string;
};

/** The page on which a person allows or denies a partner, without script. */
export function consentPage(consent: Consent): Answer {
  const { partner, who, publishers, complaint } = consent;
  const may = publishers.length > 0;
  const { host } = new URL(consent.redirectUri);
  return formPage(
    {
      title: `Connect ${partner}?`,
      body:
        (complaint === undefined ? "" : `<p class="wrong" role="alert">${escapeHtml(complaint)}</p>`) +
        `<form method="post">` +
        `<input type="hidden" name="user" value="${who.userId}">` +
        (may ? asked(consent) : noPublisher) +
        (may ? `<button name="answer" value="allow">Allow</button>` : "") +
        `<button class="second" name="answer" value="deny" formnovalidate>${may ? "Deny" : "Go back"}</button></form>` +
        `<p class="last">You are signed in as ${escapeHtml(who.email)}. You go back to <b>${escapeHtml(host)}</b>.</p>`,
      // Chromium checks the redirect after a form as well.
      formTargets: [sourceOf(new URL(consent.redirectUri))],
    },
    complaint === undefined ? 200 : 400,
  );
}

const noPublisher = `<p>You may not connect a partner: that takes an owner or an editor of a publisher. Ask one of them.</p>`;

const asked = ({ partner, scopes, publishers, chosen }: Consent): string =>
  `<p>${escapeHtml(partner)} asks to:</p><ul>${scopes.map((scope) => `<li>${scopeWords[scope]}</li>`).join("")}</ul>` +
  publisherChoice(publishers, chosen) +
  `<p>It can do so for ${durationWords(oauthLifetimes.connectionSeconds)}, or until an owner of the publisher ends it under “Connected apps”. It never learns your password.</p>`;

const publisherChoice = (publishers: readonly Membership[], chosen: string | null): string => {
  const [only, ...others] = publishers;
  if (only === undefined) return "";
  if (others.length === 0) {
    return (
      `<p>For <b>${escapeHtml(only.name)}</b></p>` +
      `<input type="hidden" name="publisher" value="${escapeHtml(only.publisherId)}">`
    );
  }
  const options = publishers.map(
    ({ publisherId, name }) =>
      `<option value="${escapeHtml(publisherId)}"${publisherId === chosen ? " selected" : ""}>${escapeHtml(name)}</option>`,
  );
  return (
    `<label>For which publisher? <select name="publisher" required>` +
    `<option value="">Choose one</option>${options.join("")}</select></label>`
  );
};

/** A policy cannot name an address of IPv6 (CSP3 section 2.3.1), which only the person's own machine has here. */
const sourceOf = ({ hostname, origin, protocol }: URL): string =>
  hostname.startsWith("[") ? protocol : origin;
