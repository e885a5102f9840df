import type { Options } from "../wire/visit.ts";
import { gppVerdict, tcfVerdict, type Verdict } from "./consent-verdict.ts";

/** Why consent is refused: by a no, or since its platform has been given up; empty where it is given. */
export type Refusal = Exclude<Verdict, "wait"> | "silent";

/** The TCF purposes that showing offers needs: select advertising by limited data (2), measure its performance (7). */
const usualPurposes = "2,7";

/** How long a platform may be missing or silent, in milliseconds. Once it has answered, its visitor may take longer. */
const usualPatience = 10_000;

/** How often to look whether the platform has been loaded, in milliseconds: while nobody waits for it, and once somebody does. */
const longPause = 1000;
const pause = 100;

/** What stands in a page until its GPP platform is loaded, and answers for it. */
const isStub = (data: unknown): boolean =>
  (data as { pingData?: { cmpStatus?: unknown } } | null)?.pingData?.cmpStatus === "stub";

type Listener = (data: unknown, success: unknown) => void;
type Platform = (...call: unknown[]) => unknown;

/**
 * Listens to the page's consent platform and calls back with each word that settles the question, also with
 * later ones: a visitor may change their mind. What is returned begins the time in which the platform has to answer: one
 * that is not there by then, or silent, is given up, which `silent` says.
 */
export function listenToConsent(
  { consent, consentPurposes, consentTimeout }: Options,
  onWord: (word: Refusal) => void,
  page: object = window,
): () => void {
  const purposes = String(consentPurposes ?? usualPurposes)
    .split(/\D+/)
    .filter(Boolean)
    .map(Number);
  const verdictOf = consent === "gpp" ? gppVerdict : tcfVerdict;
  let endsAt = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;
  let hasAnswered = false;
  const listener: Listener = (data, success) => {
    // A platform that says that it has failed has not answered.
    if (!hasAnswered && (!success || isStub(data) || performance.now() > endsAt)) return;
    hasAnswered = true;
    const verdict = verdictOf(data, success, purposes);
    if (verdict !== "wait") onWord(verdict);
  };
  const look = () => {
    const platform = Reflect.get(page, consent === "gpp" ? "__gpp" : "__tcfapi") as Platform | undefined;
    if (!isAsked && typeof platform === "function") {
      isAsked = true;
      try {
        if (consent === "gpp") platform("addEventListener", listener);
        else platform("addEventListener", 2, listener);
      } catch {
        // One that fails stays silent.
      }
    }
    if (hasAnswered) return;
    const left = endsAt - performance.now();
    if (left > 0) timer = setTimeout(look, left < Number.POSITIVE_INFINITY ? pause : longPause);
    else onWord("silent");
  };
  look();
  return () => {
    if (endsAt !== Number.POSITIVE_INFINITY) return;
    endsAt = performance.now() + (Number(consentTimeout) || usualPatience);
    clearTimeout(timer);
    look();
  };
}
