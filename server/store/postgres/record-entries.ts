import type pg from "pg";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { connect } from "./connect.ts";
import { type PostgresBatchWriter, prepareBatchWriter } from "./write-batch.ts";
import { writerSettings } from "./writer-settings.ts";

/** A batch of the command line's may be many times as large as any of a service's, and nobody waits for its answer. */
const longestMs = 60_000;

/**
 * Prepares recording for the command line: all entries in one transaction, or none. It connects when it is first called, and
 * anew where the connection has broken since.
 */
export function prepareRecording(
  url: string,
  lockWaitMs: number,
): { record(entries: readonly JournalEntry[]): Promise<void>; close(): Promise<void> } {
  let opened: Promise<{ client: pg.Client; writer: PostgresBatchWriter }> | null = null;
  const open = async () => {
    const client = await connect({
      url,
      name: "offers record",
      settings: {
        ...writerSettings,
        lock_timeout: lockWaitMs,
        statement_timeout: longestMs,
        idle_in_transaction_session_timeout: longestMs,
      },
      pipeline: true,
    });
    client.on("end", () => {
      opened = null;
    });
    return { client, writer: prepareBatchWriter(client) };
  };
  return {
    record: async (entries) => {
      opened ??= open();
      try {
        const { writer } = await opened;
        await writer.writeAll(entries);
      } catch (error) {
        // An attempt that found nobody is not to be remembered.
        await opened?.catch(() => {
          opened = null;
        });
        throw error;
      }
    },
    close: async () => {
      const connection = await opened?.catch(() => null);
      await connection?.client.end();
    },
  };
}
