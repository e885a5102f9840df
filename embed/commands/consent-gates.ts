import type { Options } from "../wire/visit.ts";
import { listenToConsent, type Refusal } from "./await-consent.ts";
import { go } from "./consent-verdict.ts";

/** Whether a tag with these options is among those that are meant. */
export type AreMeant = (options: Options) => boolean;

type OnNo = (areMeant: AreMeant) => void;

/**
 * Keeps every visit that asks for consent waiting until there is some. `onStop` is called when consent is refused or
 * taken back, with whom that concerns: the tags that a platform's refusal is about, or, by the page's own word, all.
 * `onSilence` is called in the same way for a platform that is given up. A kind that is not known waits for the page's
 * own word, as `manual` does.
 */
export function consentGates(onStop: OnNo, onSilence: OnNo) {
  /** The last word on each gate. What nobody has settled yet is missing. */
  const words = new Map<string, Refusal>([["", go]]);
  /** How to begin the time of what is listened to. */
  const begins = new Map([
    ["", () => {}],
    [manual, () => {}],
  ]);
  /** Each lets one visit look again whether its consent is given by now. */
  const waiting: (() => void)[] = [];
  const lookAgain = () => {
    for (const look of waiting.splice(0)) look();
  };
  /**
   * The last word on what the options ask for, which is listened to from the first question on. What begins nothing asks in
   * passing: a platform that were given up by then would be so for what is declined later.
   */
  const refusal = (options: Options) => {
    const gate = gateOf(options);
    if (!begins.has(gate)) {
      // It may be answered at once.
      begins.set(gate, () => {});
      const begin = listenToConsent(options, (word) => {
        words.set(gate, word);
        if (word === go) lookAgain();
        else (word === "stop" ? onStop : onSilence)(waitingAt(gate));
      });
      begins.set(gate, begin);
    }
    if (options.mode !== "none") begins.get(gate)?.();
    return words.get(gate);
  };
  return {
    /** Resolves when a visit may ask the service, by what its options are then; perhaps never. */
    async consent(options: () => Options): Promise<void> {
      refusal(options());
      // Of the tags that are taken over together a later one may have more to say of this visit.
      await null;
      while (refusal(options()) !== go) await new Promise<void>((look) => waiting.push(look));
    },
    /** The last word on what these options ask for, if there is one yet: a no, or none in time. A yes may still come. */
    refusal,
    /** Options have become these, which may ask for another consent than before, or for none. */
    reconsider(options: Options): void {
      if (refusal(options)) onStop(waitingAt(gateOf(options)));
      lookAgain();
    },
    /**
     * Whoever waits belongs to a view of the page that is over. A platform that was given up in that one may have come by now: it
     * is listened to anew, and has its time again.
     */
    forget(): void {
      waiting.length = 0;
      for (const [gate, word] of words) {
        if (word !== "silent") continue;
        words.delete(gate);
        begins.delete(gate);
      }
    },
    /** The page's own word. */
    say(isGiven: boolean): void {
      words.set(manual, isGiven ? go : "stop");
      if (isGiven) lookAgain();
      else onStop(() => true);
    },
  };
}

const manual = "manual";

const waitingAt =
  (gate: string): AreMeant =>
  (options) =>
    gateOf(options) === gate;

/** What the tag waits for, `""` for nothing. Tags wait for the same where they want the same purposes within the same time. */
function gateOf({ consent, consentPurposes, consentTimeout }: Options): string {
  if (!consent || consent === "none") return "";
  return consent === "tcf" || consent === "gpp" ? `${consent} ${consentPurposes} ${consentTimeout}` : manual;
}
