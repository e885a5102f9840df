import type { JournalEntry } from "../../core/journal-entry.ts";
import { connect } from "./connect.ts";
import { prepareBatchWriter } from "./write-batch.ts";
import { writerSettings } from "./writer-settings.ts";

/** There may be a hundred thousand of them, for which nobody waits but whoever has them recorded. */
const patienceMs = 120_000;

/**
 * Records entries by the rules of the journal, beside services that may be running: all of them in one transaction, or none.
 * Rejects with the server's error, or that of an entry which cannot be recorded.
 */
export async function recordEntries(url: string, entries: readonly JournalEntry[]): Promise<void> {
  const client = await connect({
    ...{ url, name: "offers recording", pipeline: true },
    settings: {
      ...writerSettings,
      ...{ statement_timeout: patienceMs, lock_timeout: patienceMs },
      idle_in_transaction_session_timeout: patienceMs,
    },
  });
  try {
    await prepareBatchWriter(client).writeAll(entries);
  } finally {
    await client.end();
  }
}
