import type { RunNote } from "@offers/contract/dash/operator";
import { noteRun } from "../store/catalogue/run-notes.ts";
import type { CommandContext } from "./command.ts";

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
