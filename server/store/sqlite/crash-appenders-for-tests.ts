import type { JournalEntry } from "../../core/journal-entry.ts";
import {
  beacon,
  blocked,
  hop,
  impression,
  morning,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { openStore } from "../open-store.ts";

/** How many entries are under way at once. */
const appenders = 32;
const offers = [1, 2];

/**
 * A program to be killed: records visits without end and writes one line for each entry that was acknowledged,
 * at once, for a line that was written to a pipe outlives its writer.
 */
const appendForEver = async (file: string, round: string): Promise<void> => {
  const store = await openStore({
    database: { engine: "sqlite", file, durability: "full" },
    clock: () => morning,
    log: () => undefined,
  });
  process.stdout.write("ready\n");
  let visits = 0;
  const acknowledge = async (entry: Extract<JournalEntry, { visit: object }>) => {
    const outcome = await store.journal.append(entry);
    process.stdout.write(
      `${JSON.stringify({ kind: entry.kind, request: entry.visit.request, ...outcome })}\n`,
    );
  };
  const appender = async (): Promise<never> => {
    for (;;) {
      visits += 1;
      const visit = visitOf(`${round}-${visits}`);
      const offer = offers[visits % offers.length] ?? 1;
      await acknowledge(blocked(visit));
      await acknowledge(served(visit, offers));
      await acknowledge(impression(visit, offer));
      await acknowledge(visits % 3 === 0 ? hop(visit, offer) : beacon(visit, offer));
      await acknowledge(visits % 3 === 0 ? beacon(visit, offer) : hop(visit, offer));
      // A browser or a proxy that sends something twice.
      if (visits % 20 === 0) await acknowledge(hop(visit, offer));
    }
  };
  await Promise.all(Array.from({ length: appenders }, appender));
};

const [file = "", round = ""] = process.argv.slice(2);
await appendForEver(file, round);
