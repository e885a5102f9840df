import type { BlockedEntry } from "../../core/journal-entry.ts";
import type { Log } from "../../core/log-events.ts";
import type { Spool, SpooledLine } from "../journal/spool.ts";
import { startThread, type Thread } from "../threads/start-thread.ts";
import type { SpoolFileOptions, StoredLine } from "./spool-file.ts";
import type { SpoolQuestions } from "./spool-questions.ts";

/**
 * Opens a spool on a local SQLite file, in a thread of its own: no call waits for the disk on the caller's thread.
 * Rejects when the file cannot be opened, or is none that this program may write for that database. When the thread
 * dies later, that is told by `log` once, and the spool refuses from then on: the journal does without it. `close`
 * comes after the journal's `drain`; what is still in the file is for whoever opens it next.
 */
export async function openSpool({
  log,
  ...workerData
}: SpoolFileOptions & { log: Log }): Promise<Spool & Pick<Thread<SpoolQuestions>, "close" | "usage">> {
  const thread = startThread<SpoolQuestions, never>(new URL("./spool-thread.ts", import.meta.url), {
    workerData,
    onTold: () => undefined,
    onDeath: ({ message }) => log({ event: "spool_thread_died", message }),
  });
  try {
    const opened = await thread.ask("open", null);
    if (opened.last > opened.forgotten) {
      log({ event: "spool_found", entries: opened.last - opened.forgotten });
    }
    return {
      opened,
      // Whole objects with their names: the program that reads them may be a later one.
      add: (entries) => thread.ask("add", JSON.stringify(entries)),
      read: async (after, most) => {
        const { lines, upTo } = await thread.ask("read", { after, most });
        return { lines: lines.map(lineOf), upTo };
      },
      forget: async (upTo) => {
        await thread.ask("forget", upTo);
      },
      close: () => thread.close(),
      usage: thread.usage,
    };
  } catch (error) {
    await thread.kill();
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`the spool ${workerData.file} cannot be opened: ${message}`, { cause: error });
  }
}

const lineOf = ({ position, text }: StoredLine): SpooledLine => {
  try {
    const entry: BlockedEntry = JSON.parse(text);
    return { position, entry };
  } catch {
    return { position, entry: null };
  }
};
