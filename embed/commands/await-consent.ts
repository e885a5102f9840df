import type { Options } from "../wire/visit.ts";
import { gppVerdict, tcfVerdict, type Verdict } from "./consent-verdict.ts";

/** Use limited data to select advertising, and measure its performance: what showing offers comes to. */
const usualPurposes = "2,7";

/** How long a platform may be missing or silent, in milliseconds; an open question to the visitor may take longer. */
const usualPatience = 10_000;

/** How often to look whether the page has its platform by now, in milliseconds. */
const pause = 100;

type Listener = (data: unknown, success: unknown) => void;
type Platform = (...call: unknown[]) => unknown;

/**
 * Listens to the page's consent platform and tells each verdict that settles something, later ones too: a
 * visitor may change their mind. A platform that stays away, or never answers, is never asked again.
 */
export function listenToConsent(
  { consent, consentPurposes, consentTimeout }: Options,
  onVerdict: (verdict: Exclude<Verdict, "wait">) => void,
  page: object = window,
): void {
  const purposes = String(consentPurposes ?? usualPurposes)
    .split(/\D+/)
    .filter(Boolean)
    .map(Number);
  const verdictOf = consent === "gpp" ? gppVerdict : tcfVerdict;
  const endsAt = performance.now() + (Number(consentTimeout) || usualPatience);
  let hasAnswered = false;
  const listener: Listener = (data, success) => {
    if (!hasAnswered && performance.now() > endsAt) return;
    hasAnswered = true;
    const verdict = verdictOf(data, success, purposes);
    if (verdict !== "wait") onVerdict(verdict);
  };
  const look = () => {
    const platform = Reflect.get(page, consent === "gpp" ? "__gpp" : "__tcfapi") as Platform | undefined;
    if (typeof platform === "function") {
      if (consent === "gpp") platform("addEventListener", listener);
      else platform("addEventListener", 2, listener);
    } else if (performance.now() < endsAt) setTimeout(look, pause);
  };
  look();
}
