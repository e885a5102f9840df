import type { DecisionAnswer } from "@offers/contract/decision";
import type { Trigger } from "@offers/contract/words";
import type { Command } from "../loader/command-queue.ts";
import type { LoaderTag, Visit } from "./visit.ts";

/**
 * Presents to the visitor what follows from a decision; settles when that is over. `closing` is what the visit was begun
 * with: a visit that is closed gets another one, by which it can be opened again, and so it says nothing of this attempt.
 */
export type Present = (visit: Visit, decision: DecisionAnswer, closing: AbortSignal) => Promise<unknown>;

/** What the chunk of commands asks of the loader. */
export type Loader = {
  /** Begins a visit and settles when it is over. `script` is the tag, null for a visit that only `init` named. */
  beginVisit(tag: LoaderTag, present: Present, script: Element | null): Promise<void>;
  /**
   * Opens the overlay over the middle of the page. `trigger` is what has fired (`manual`: the page says so), but for
   * `pause`, which the overlay awaits by itself.
   */
  openOverlay(visit: Visit, trigger: Trigger, closing: AbortSignal): Promise<void>;
  isOwnPage(): boolean;
  /** Fetches one of our files, twice if it must: under other addresses than whatever the page has lost before. */
  load<Chunk>(address: string): Promise<Chunk>;
};

/** What the loader asks of the chunk of commands. */
export type Commands = {
  /** Takes over a tag that asks for more than the loader does by itself, with the commands that were waiting for it. */
  takeOver(script: HTMLScriptElement, waiting: readonly Command[]): void;
  /** Carries out one command of the page; `script` is the tag whose function was called. */
  run(command: Command, script: HTMLScriptElement): unknown;
  /** Opens a blocked visitor's overlay when its trigger fires; settles when it has closed again. */
  openOnTrigger(visit: Visit, decision: DecisionAnswer, closing: AbortSignal): Promise<void>;
};
