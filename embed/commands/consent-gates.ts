import type { Options } from "../wire/visit.ts";
import { listenToConsent } from "./await-consent.ts";

/** A gate that can be opened and shut again. */
type Gate = { opened: Promise<void>; open(): void; isOpen: boolean };

function gate(): Gate {
  const { promise, resolve } = withResolvers();
  const made: Gate = {
    opened: promise,
    isOpen: false,
    open() {
      made.isOpen = true;
      resolve();
    },
  };
  return made;
}

function withResolvers(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/**
 * Keeps every visit that asks for consent waiting until there is some. `onStop` is called when consent is
 * refused or taken back. A kind that is not known waits for the page's own word, as `manual` does.
 */
export function consentGates(onStop: () => void) {
  const gates = new Map<unknown, Gate>();
  const gateOf = (kind: unknown): Gate => {
    const found = gates.get(kind);
    if (found) return found;
    const made = gate();
    gates.set(kind, made);
    return made;
  };
  const settle = (kind: unknown, isGiven: boolean) => {
    if (isGiven) return gateOf(kind).open();
    if (gateOf(kind).isOpen) gates.set(kind, gate());
    onStop();
  };
  const heard = new Set<unknown>();
  return {
    /** Resolves when such a visit may ask the service; perhaps never. */
    async passed(options: Options): Promise<void> {
      const kind = options.consent;
      if (!kind || kind === "none") return;
      const name = kind === "tcf" || kind === "gpp" ? kind : "manual";
      if (name !== "manual" && !heard.has(name)) {
        heard.add(name);
        listenToConsent(options, (verdict) => settle(name, verdict === "go"));
      }
      // Shut and opened again while somebody waited: they wait for the one that is there now.
      while (!gateOf(name).isOpen) await gateOf(name).opened;
    },
    /** The page's own word. */
    say(isGiven: boolean): void {
      settle("manual", isGiven);
    },
  };
}
