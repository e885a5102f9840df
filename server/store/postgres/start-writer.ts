import { relaxedWarning } from "../../core/database-settings.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import type { PostgresAddress } from "../database-address.ts";
import type { EngineOptions, Writer } from "../engine.ts";
import { createJournalMeter } from "../journal/journal-meter.ts";
import type { JournalQueue } from "../journal/journal-queue.ts";
import { type Lane, laneOf } from "../journal/lane-of.ts";
import type { Spool } from "../journal/spool.ts";
import { startQueue } from "../threads/start-queue.ts";
import { startThread, type Thread } from "../threads/start-thread.ts";
import { closePatienceMs, withinPatience } from "../threads/within-patience.ts";
import { readDatabaseId } from "./database-id.ts";
import type { ToldByWriter, WriterOptions, WriterQuestions } from "./writer-questions.ts";

/** How long the thread has to end, however long was waited for the database before. */
const leastClosingMs = 300;
/** A lock that was waited for long enough. */
const lockTimeout = "55P03";

/** Opens the place in which kept entries wait while the database of that id (database-id.ts) is away. */
export type OpenSpool = (database: string) => Promise<Spool & Pick<Thread<never>, "close" | "usage">>;

/**
 * Starts the writer thread, with a queue for each of its two connections. `onExhausted` hears the numbers of the offers
 * that a batch has used up, before its entries are answered; `onDeath` is called once when the thread fails, and
 * everything that waits is rejected.
 */
export function startWriter(
  options: { address: PostgresAddress; openSpool: OpenSpool } & Pick<
    EngineOptions,
    "log" | "onExhausted" | "onDeath"
  >,
): Writer {
  const { address, log, onExhausted, onDeath, openSpool } = options;
  const meter = createJournalMeter(() => performance.now() / 1000);
  const risks = new Map<Lane, readonly string[]>();
  const thread = startThread<WriterQuestions, ToldByWriter>(new URL("./writer-thread.ts", import.meta.url), {
    workerData: { address } satisfies WriterOptions,
    onTold: (told) => {
      log(told);
      if (told.event === "database_connected") {
        risks.set(told.lane, told.warnings);
        if (told.warnings.length > 0) log({ event: "durability_relaxed", warnings: told.warnings });
      }
      // Without traffic nobody else would find out that it refuses from now on, or does no longer.
      if (isOpen) queues[told.lane].tryStorage();
    },
    onDeath: (error) => {
      for (const queue of both) queue.abandon(new StorageUnavailable("the writer has died", 1));
      onDeath(error);
    },
  });
  let isOpen = false;
  let spool: Awaited<ReturnType<OpenSpool>> | null = null;
  /** By what each lane was refused the last time. */
  const refusedBy = { money: "", plain: "" };
  const startLane = (lane: Lane): JournalQueue =>
    startQueue({
      ask: (entries, kept, patienceMs) => thread.ask("batch", { lane, entries, kept, patienceMs }),
      log,
      meter,
      onExhausted,
      onRefused: ({ code }) => {
        refusedBy[lane] = code;
      },
    });
  const queues = { money: startLane("money"), plain: startLane("plain") };
  const both = [queues.money, queues.plain] as const;
  queues.money.leaveKeptTo(queues.plain);
  let isClosing = false;
  /** Until then closing waits for a database that refuses (`performance.now()`): a stop has no time to wait for it twice. */
  let patientUntil = Number.POSITIVE_INFINITY;

  return {
    // These functions and nothing else: a caller may pass them on one by one.
    journal: {
      append: (entry) => (isClosing ? Promise.reject(closing()) : queues[laneOf(entry)].append(entry)),
      keep: (entry, waitMs) => {
        if (isClosing) return Promise.reject(closing());
        const queue = queues[laneOf(entry)];
        // While nothing can be billed nobody waits for its order, and the other lane has a spool to keep it in.
        return (queue.isRefusing() ? queues.plain : queue).keep(entry, waitMs);
      },
      // Of either lane: what the other one would turn away is turned away there.
      isFull: () => isClosing || both.every((queue) => queue.isFull()),
      waiting: () => queues.money.waiting() + queues.plain.waiting(),
      inMemory: () => queues.money.inMemory() + queues.plain.inMemory(),
    },
    open: async () => {
      await thread.ask("open", null);
      spool = await openSpool(await readDatabaseId(address.url));
      queues.plain.useSpool(spool);
      isOpen = true;
    },
    // An offer's lock that somebody holds is no reason to send visitors elsewhere: it is locked there as well.
    isRefusing: () =>
      queues.plain.isRefusing() || (queues.money.isRefusing() && refusedBy.money !== lockTimeout),
    reading: () => meter.read(),
    queues: () => [queues.money.readQueue("money"), queues.plain.readQueue("plain")],
    committedEvents: () => meter.committedEvents(),
    threads: () => [
      { name: "writer", usage: thread.usage },
      ...(spool === null ? [] : [{ name: "spool" as const, usage: spool.usage }]),
    ],
    warnings: () => ([...risks.values()].some((told) => told.length > 0) ? [relaxedWarning] : []),
    drain: async () => {
      isClosing = true;
      patientUntil = performance.now() + closePatienceMs;
      // The one behind the other: what is kept in the first may come to wait in the second.
      await withinPatience(queues.money.drain().then(() => queues.plain.drain()));
      const lost = both.reduce((sum, queue) => sum + queue.abandon(closing()), 0);
      if (lost > 0) log({ event: "journal_entries_lost", entries: lost });
    },
    close: async () => {
      const leftMs = Math.min(closePatienceMs, patientUntil - performance.now());
      await withinPatience(Promise.all([thread.close(), spool?.close()]), Math.max(leastClosingMs, leftMs));
      await thread.kill();
    },
  };
}

const closing = (): StorageUnavailable => new StorageUnavailable("the journal is closing", 1);
