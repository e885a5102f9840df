import type pg from "pg";
import type { Cells } from "../journal/recording.ts";
import type { Copy } from "./copy-rows.ts";
import type { Decision } from "./decide.ts";
import { flushBilled } from "./flush-billed.ts";
import { flushCounters } from "./flush-counters.ts";
import { flushFacts, flushMoney } from "./flush-facts.ts";
import { flushNotes } from "./flush-notes.ts";
import { flushAnswers, flushSessions } from "./flush-sessions.ts";
import { serverMs } from "./node-row.ts";
import { type Statement, sendAll } from "./pipeline.ts";

/** Who writes, and which batch it is: a node that others have given up can write nothing any more. */
export type Fence = { id: string; epoch: number; batch: () => number };

/** Others have taken this node's place: nothing was written, and nothing it writes will be. */
class Fenced extends Error {
  override readonly name = "Fenced";
  readonly code = "22012";
}

/**
 * How a flush ended. `again`: somebody else has changed what was read, or a conflict of locks was solved against us, and
 * nothing was written. `unknown`: nobody can tell, for the connection went or a wait for a standby was cancelled at the commit.
 */
export type FlushEnd = "committed" | "again" | "unknown";

/** The statements that write what was decided, in the one order in which everybody locks: what a rule has read is guarded. */
export function flushStatements(
  decision: Decision,
  known: { cellOf: Cells["cellOf"]; publisherOf: (websiteId: number) => number },
): (Statement | Copy)[] {
  const { budgets, lines, facts, billed, fold, notes, sessions, answers } = decision;
  return [
    ...flushMoney(budgets.takeCharged(), lines),
    ...flushFacts(facts),
    ...flushBilled(billed),
    ...flushSessions(sessions),
    ...flushAnswers(answers),
    ...flushCounters(fold, known),
    ...flushNotes(notes),
  ];
}

/** The first statement of a flush; it fails (22012) when the node's place was taken. */
export function fenceStatement({ id, epoch }: Fence, batch: number): Statement {
  return {
    name: "fence",
    text: `with done as (update node set batch = $1::bigint, seen_at = ${serverMs} where id = $2 and epoch = $3::bigint returning 1)
      select 1 / (case when count(*) = 1 then 1 else 0 end) from done`,
    values: [batch, id, epoch],
  };
}

const conflicts = ["22012", "40001", "40P01"];
/** A row that is copied and is there already: somebody else was quicker. */
const uniqueViolation = "23505";

/**
 * Sends the statements and the commit in one round trip. Rejects with the error of a statement that failed for another reason
 * than a conflict: nothing was written then.
 * @param isWaitCancelled whether the server has said since the flush began that it gave up waiting for a standby.
 */
export async function flush(
  client: pg.Client,
  { fence, statements }: { fence: Statement | null; statements: readonly (Statement | Copy)[] },
  isWaitCancelled: () => boolean,
): Promise<FlushEnd> {
  const all = fence === null ? statements : [fence, ...statements];
  const { results, failed } = await sendAll(client, [...all, "commit"]);
  if (failed === null) {
    // A transaction that failed is answered so, and without an error.
    if (results.at(-1)?.command !== "COMMIT") return "again";
    return isWaitCancelled() ? "unknown" : "committed";
  }
  const { at, error } = failed;
  if (!isOfStatement(error, at === all.length)) return "unknown";
  if (fence !== null && at === 0 && codeOf(error) === "22012")
    throw new Fenced("this node's place was taken");
  const code = codeOf(error) ?? "";
  const sent = all[at];
  const isThere = sent !== undefined && "copy" in sent && code === uniqueViolation;
  if (isThere || conflicts.includes(code)) return "again";
  throw error;
}

/** Sends the statements and takes back what they have written; rejects with the error of one that failed. */
export async function tryOut(client: pg.Client, statements: readonly (Statement | Copy)[]): Promise<void> {
  const { failed } = await sendAll(client, [...statements, "rollback"]);
  if (failed !== null) throw failed.error;
}

/** Whether it was a statement's own failure, so that the commit behind it cannot have been done. */
const isOfStatement = (error: unknown, isCommit: boolean): boolean => {
  if (!(error instanceof Error) || !("severity" in error)) return false;
  return !isCommit || error.severity === "ERROR";
};

const codeOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
