import type { Actor } from "../core/actor.ts";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import type { NamedThread } from "../core/thread-usage.ts";
import type { InputProblem } from "../store/catalogue/catalogue-refusal.ts";
import type { DeskCommands } from "./desk-commands.ts";

/** The name of what the desk can be asked. */
export type DeskCommand = keyof DeskCommands;
/** What it is asked with, */
export type AskedOf<Name extends DeskCommand> = Parameters<DeskCommands[Name]>[1];
/** and what it answers. */
export type AnswerOf<Name extends DeskCommand> = Awaited<ReturnType<DeskCommands[Name]>>;

/** What reads accounts and the catalogue, and changes them, for those who are signed in. */
export type Desk = {
  /**
   * Asks for one of its commands, in whose name Activity tells it. Rejects with a DeskRefusal when the command refuses,
   * with StorageUnavailable when the storage does or so many wait that one more would be late.
   */
  ask<Name extends DeskCommand>(name: Name, asked: AskedOf<Name>, actor?: Actor): Promise<AnswerOf<Name>>;
  /** Its threads; none before the first command, nor after a long time without one. */
  threads(): NamedThread[];
  /** Lets its threads and what they hold go until the next command, but for one that is at work. */
  rest(): Promise<void>;
  close(): Promise<void>;
};

/** Why a command was not carried out. Nothing of it was written. */
export type Refused =
  /** What was given cannot be saved. */
  | { kind: "refused"; problems: readonly InputProblem[] }
  /** What it is about does not exist, or is another publisher's. */
  | { kind: "unknown" }
  /** Whoever asked was shut out, or removed, while it waited. */
  | { kind: "signed_out" }
  /** Somebody else was quicker: what is saved now, and who saved it when (milliseconds since the epoch), if that is known. */
  | {
      kind: "conflict";
      version: number;
      current: object;
      changedBy: string | null;
      changedAt: number | null;
    };

/** The connection broke, or the service is closing, while a command was run: it may be done all the same. */
export class DeskSilent extends StorageUnavailable {}

/** A command was refused for what it was asked with. */
export class DeskRefusal extends Error {
  override readonly name = "DeskRefusal";
  readonly refused: Refused;

  constructor(refused: Refused) {
    super(`the desk refuses (${refused.kind})`);
    this.refused = refused;
  }
}
