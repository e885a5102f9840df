import type { Options } from "../wire/visit.ts";
import { listenToConsent } from "./await-consent.ts";

type Kind = "tcf" | "gpp" | "manual";

/**
 * Keeps every visit that asks for consent waiting until there is some. `onStop` is called when consent is
 * refused or taken back. A kind that is not known waits for the page's own word, as `manual` does.
 */
export function consentGates(onStop: () => void) {
  const given = new Set<Kind>();
  const heard = new Set<Kind>();
  /** Each lets one visit look again whether consent of its kind is given by now. */
  const waiting: (() => void)[] = [];
  const settle = (kind: Kind, isGiven: boolean) => {
    if (!isGiven) {
      given.delete(kind);
      return onStop();
    }
    given.add(kind);
    for (const lookAgain of waiting.splice(0)) lookAgain();
  };
  return {
    /** Resolves when a visit with these options may ask the service; perhaps never. */
    async consent(options: Options): Promise<void> {
      const asked = options.consent;
      if (!asked || asked === "none") return;
      const kind = asked === "tcf" || asked === "gpp" ? asked : "manual";
      if (kind !== "manual" && !heard.has(kind)) {
        heard.add(kind);
        listenToConsent(options, (verdict) => settle(kind, verdict === "go"));
      }
      while (!given.has(kind)) await new Promise<void>((lookAgain) => waiting.push(lookAgain));
    },
    /** The page's own word. */
    say(isGiven: boolean): void {
      settle("manual", isGiven);
    },
  };
}
