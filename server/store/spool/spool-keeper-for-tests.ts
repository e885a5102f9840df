import type { JournalEntry } from "../../core/journal-entry.ts";
import { blocked, visitOf } from "../conformance/journal-for-tests.ts";
import { entriesOf } from "../journal/entry-text.ts";
import { JournalQueue } from "../journal/journal-queue.ts";
import { openDatabase } from "../sqlite/database.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";
import { openSpool } from "./open-spool.ts";

/**
 * A program to be killed. `keep`: its storage is gone, and it keeps visits without end and tells which of them are on
 * the spool's disk. `record`: its storage is there, and it kills itself at its fifth attempt to remove from the spool
 * what it has committed.
 */
const run = async (does: string, spoolFile: string, database: string, round: string): Promise<void> => {
  process.umask(0o077);
  const spool = await openSpool({ file: spoolFile, database: "one", log: () => undefined });
  if (does === "keep") {
    const queue = new JournalQueue(
      () => setImmediate(() => queue.refused({ code: "ECONNREFUSED", retryAfterSeconds: 1 })),
      () => undefined,
    );
    queue.useSpool({
      ...spool,
      add: async (entries) => {
        const last = await spool.add(entries);
        process.stdout.write(`${JSON.stringify(entries.map(({ visit }) => visit.request))}\n`);
        return last;
      },
    });
    for (let visit = 0; ; visit += 50) {
      for (let more = 0; more < 50; more++) {
        void queue.keep(blocked(visitOf(`${round}-${visit + more}`)), 75).catch(() => undefined);
      }
      queue.tryStorage();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  const { sqlite } = openDatabase({ file: database, durability: "full" });
  const writer = prepareBatchWriter(sqlite);
  const write = (entries: readonly JournalEntry[], kept: number) =>
    queue.recorded(writer.write(entries, kept));
  const queue: JournalQueue = new JournalQueue(
    (text, kept) => setImmediate(() => write(entriesOf(text), kept)),
    () => undefined,
  );
  let removals = 0;
  queue.useSpool({
    ...spool,
    forget: (upTo) => {
      removals += 1;
      if (removals === 5) process.kill(process.pid, "SIGKILL");
      return spool.forget(upTo);
    },
  });
};

const [does = "", spoolFile = "", database = "", round = ""] = process.argv.slice(2);
await run(does, spoolFile, database, round);
