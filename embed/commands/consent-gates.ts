import type { Options } from "../wire/visit.ts";
import { listenToConsent } from "./await-consent.ts";

/** Whether a tag with these options is among those that are meant. */
export type AreMeant = (options: Options) => boolean;

/**
 * Keeps every visit that asks for consent waiting until there is some. `onStop` is called when consent is refused or
 * taken back, with whom that concerns: the tags that a platform's refusal is about, or, by the page's own word, all. A
 * kind that is not known waits for the page's own word, as `manual` does.
 */
export function consentGates(onStop: (areMeant: AreMeant) => void) {
  /** The last word on each gate: a yes or a no. What nobody has settled yet is missing. */
  const verdicts = new Map<string, boolean>();
  const heard = new Set<string>();
  /** Each lets one visit look again whether its consent is given by now. */
  const waiting: (() => void)[] = [];
  const settle = (gate: string, isGiven: boolean, areMeant: AreMeant) => {
    verdicts.set(gate, isGiven);
    if (!isGiven) return onStop(areMeant);
    for (const lookAgain of waiting.splice(0)) lookAgain();
  };
  return {
    /** Resolves when a visit with these options may ask the service; perhaps never. */
    async consent(options: Options): Promise<void> {
      const gate = gateOf(options);
      if (!gate) return;
      if (gate !== manual && !heard.has(gate)) {
        heard.add(gate);
        listenToConsent(options, (verdict) =>
          settle(gate, verdict === "go", (others) => gateOf(others) === gate),
        );
      }
      while (!verdicts.get(gate)) await new Promise<void>((lookAgain) => waiting.push(lookAgain));
    },
    /** Whether the last word on what these options ask for was a no. A yes may still come. */
    isRefused(options: Options): boolean {
      return verdicts.get(gateOf(options)) === false;
    },
    /** The page's own word. */
    say(isGiven: boolean): void {
      settle(manual, isGiven, () => true);
    },
  };
}

const manual = "manual";

/** What the tag waits for, `""` for nothing. Tags wait for the same where they want the same purposes within the same time. */
function gateOf({ consent, consentPurposes, consentTimeout }: Options): string {
  if (!consent || consent === "none") return "";
  return consent === "tcf" || consent === "gpp" ? `${consent} ${consentPurposes} ${consentTimeout}` : manual;
}
