import type { RunNote } from "@offers/contract/dash/operator";
import { noteRun } from "../store/catalogue/run-notes.ts";
import type { CommandContext } from "./command.ts";

/** Does the work of a command, and keeps that it failed where it did: what was found the last time would stand for it. */
export async function orKeepFailure<T>(
  context: CommandContext,
  kind: RunNote["kind"],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    for (const note of await keepRun(context, { kind, isGood: false, says })) context.say(`note: ${note}`);
    throw error;
  }
}

/**
 * Keeps how a command ended, for the operator's pages. What the command found out stands all the same where that cannot be
 * kept, as on a full disk: then this says so.
 * @returns notes for the error stream.
 */
export async function keepRun(
  { catalogue, clock }: CommandContext,
  run: Pick<RunNote, "kind" | "isGood" | "says">,
): Promise<string[]> {
  try {
    await noteRun(catalogue, { ...run, at: clock() });
    return [];
  } catch (error) {
    const trouble = catalogue.troubleOf(error);
    if (trouble === null) throw error;
    return [`the dashboard will not tell of this run: it could not be written down (${trouble.code})`];
  }
}
