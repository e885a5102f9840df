import type { Actor } from "../core/actor.ts";
import type { Log } from "../core/log-events.ts";
import type { OpenCatalogue } from "./catalogue/catalogue-handle.ts";
import { type DatabaseAddress, databaseName } from "./database-address.ts";
import type { Engine, EngineOptions, Polled, Reader } from "./engine.ts";
import { LastUses } from "./journal/last-uses.ts";
import { RefusedCalls } from "./journal/refused-calls.ts";
import { RefusedClicks } from "./journal/refused-clicks.ts";
import { createSharedClock } from "./shared-clock.ts";
import { RecentTokens } from "./snapshot/recent-tokens.ts";
import { Snapshot } from "./snapshot/snapshot.ts";
import { readDiskRoom } from "./sqlite/disk-room.ts";
import { startSqlite } from "./sqlite/start-sqlite.ts";
import type { Store } from "./store.ts";

export type StoreOptions = {
  /** Of SQLite the file's directory exists. */
  database: DatabaseAddress;
  /** For how many days events are kept one by one; left out, or null: for ever. */
  eventsKeptDays?: number | null;
  /** This machine's, in milliseconds since the epoch. */
  clock: () => number;
  log: Log;
  /** Called once when a thread has died, for nothing works without it. By default it ends the process. */
  onFatal?: (error: Error) => void;
};

/**
 * Opens the catalogue for the command line, which works beside a running service and without one. A new database gets
 * its schema first. Rejects when it cannot be opened, is too new for this program, or stays locked.
 */
export async function openCatalogue(options: {
  database: DatabaseAddress;
  /** How many milliseconds a change waits for another process's lock; left out: some seconds. */
  lockWaitMs?: number;
  /** How many milliseconds a PostgreSQL may take to answer a statement; left out: as long as it likes. */
  deadlineMs?: number;
  /** Whether a store of this process has migrated the database already. */
  isWithinService?: boolean;
  /** Whose doing all changes are. */
  actor: Actor;
  /** Milliseconds since the epoch. */
  clock: () => number;
}): Promise<OpenCatalogue> {
  const { database, ...rest } = options;
  // Loaded when it is asked for, as the query builder is.
  if (database.engine === "postgres") {
    const { openPostgresCatalogue } = await import("./postgres/open-catalogue.ts");
    return openPostgresCatalogue({ ...rest, ...database });
  }
  const { openSqliteCatalogue } = await import("./sqlite/open-catalogue.ts");
  return openSqliteCatalogue({ ...rest, ...database });
}

const startEngine = async (database: DatabaseAddress, options: EngineOptions): Promise<Engine> => {
  if (database.engine === "sqlite") return startSqlite(database, options);
  // Nothing of it is loaded where the database is a file.
  const [{ startPostgres }, { openSpool }] = await Promise.all([
    import("./postgres/start-postgres.ts"),
    import("./spool/open-spool.ts"),
  ]);
  const { log } = options;
  return startPostgres(database, {
    ...options,
    openSpool: (id) => openSpool({ file: database.spoolFile, database: id, log }),
    disk: async () => {
      const room = await readDiskRoom(database.spoolFile);
      return room && { ...room, databaseBytes: null };
    },
  });
};

const pollMs = 500;

/**
 * Opens the database with one who writes it and one who reads it, migrates it, and reads the catalogue.
 * Rejects when it cannot be opened, is too new for this program, or stays locked.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database, log, eventsKeptDays = null } = options;
  const snapshot = new Snapshot();
  // Of a file the machine's own clock itself: it is the only one.
  const shared = database.engine === "sqlite" ? null : createSharedClock(options.clock, log);
  const clock = shared?.now ?? options.clock;
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;
  let death: Error | null = null;
  const onDeath = (error: Error): void => {
    death = error;
    clearInterval(timer);
    log({ event: "store_thread_died", message: error.message });
    // Before that, opening fails with this error.
    if (isOpen) (options.onFatal ?? endProcess)(error);
    isOpen = false;
  };
  const { reader, writer, windows, disk } = await startEngine(database, {
    eventsKeptDays,
    log,
    onExhausted: (offers) => snapshot.announceExhausted(offers, clock()),
    onDeath,
  });
  const keyUses = new LastUses(writer.journal, (keyId, at) => ({ kind: "key_used", keyId, at }));
  const grantUses = new LastUses(writer.journal, (grantId, at) => ({ kind: "grant_used", grantId, at }));
  const accessTokens = new RecentTokens(reader.findAccessToken, clock);
  const refusedClicks = new RefusedClicks(writer.journal);
  const refusedCalls = new RefusedCalls(writer.journal);
  let polledAt = performance.now();
  const poll = preparePoll(reader, snapshot, { own: options.clock, shared: clock }, ({ clockOffsetMs }) => {
    polledAt = performance.now();
    shared?.setOffset(clockOffsetMs, polledAt);
  });
  try {
    if (!(await poll())) throw new Error(`${databaseName(database)} could not be read`);
    await Promise.all([writer.open(), windows?.open()]);
    if (death !== null) throw death;
  } catch (error) {
    await Promise.all([reader.close(), writer.close(), windows?.close()]);
    throw error;
  }
  isOpen = true;
  timer = setInterval(skipWhileRunning(poll, log), pollMs);
  return {
    clock,
    catalogue: () => snapshot.catalogue,
    rates: () => snapshot.rates,
    hasBudget: (offer) => snapshot.hasBudget(offer),
    pacedSpend: (offer) => snapshot.pacedSpend(offer),
    salts: () => snapshot.salts(clock()),
    journal: writer.journal,
    sharedWindows: windows,
    apiKey: (id) => snapshot.apiKey(id),
    integrationSecret: (hash) => snapshot.secret(hash),
    declineSession: reader.findSession,
    accessToken: (idHash) => accessTokens.find(idHash),
    hasDismissed: (visitor) => snapshot.hasDismissed(visitor),
    dismiss: async (dismissed) => {
      await writer.journal.append({ kind: "dismissed", ...dismissed });
      snapshot.noteDismissed([dismissed], clock());
    },
    noteRefusedClick: (click, at) => refusedClicks.note(click, at),
    noteRefusedCall: (refused, at) => refusedCalls.note(refused, at),
    noteKeyUse: (keyId, at) => keyUses.note(keyId, at),
    noteGrantUse: (grantId, at) => grantUses.note(grantId, at),
    report: reader.report,
    explain: reader.explain,
    putChunks: (chunks) => reader.putChunks(chunks, clock()),
    findChunk: reader.findChunk,
    hasUsers: reader.hasUsers,
    vitals: async () => ({
      ...writer.reading(),
      waiting: writer.journal.waiting(),
      isRefusing: writer.isRefusing(),
      snapshotAgeMs: performance.now() - polledAt,
      disk: await disk(),
    }),
    counts: () => ({
      queues: writer.queues(),
      committed: writer.committedEvents(),
      exhaustedOffers: snapshot.exhaustedOffers(),
      snapshotAgeMs: performance.now() - polledAt,
      nodes: windows?.nodes() ?? 1,
    }),
    measure: () => reader.measure(clock()),
    threads: () => [...reader.threads(), ...writer.threads()],
    warnings: () => writer.warnings(),
    isReady: () => isOpen && !writer.isRefusing(),
    isClockBearable: () => shared?.isBearable() !== false,
    reload: async () => {
      await poll();
    },
    close: async () => {
      isOpen = false;
      clearInterval(timer);
      const flushed = Promise.all([refusedClicks.flush(), refusedCalls.flush()]);
      const drained = writer.drain();
      // Before the writer, so that no reader keeps the log from being folded in.
      await Promise.all([reader.close(), windows?.close()]);
      await Promise.all([flushed, drained]);
      await writer.close();
    },
  };
}

/** Says whether the database could be read. The reader is told this machine's own time. */
const preparePoll =
  (
    reader: Reader,
    snapshot: Snapshot,
    clocks: { own: () => number; shared: () => number },
    onRead: (polled: Polled) => void,
  ): (() => Promise<boolean>) =>
  async () => {
    const number = snapshot.startPoll();
    const changes = await reader.poll(clocks.own());
    if (changes === null) return false;
    // Before the rest, so that the time is the database's from the first poll on.
    onRead(changes);
    snapshot.apply(number, changes, clocks.shared());
    return true;
  };

/** A timer's callback that leaves out a turn when the one before has not finished, and says each fault once in a row. */
const skipWhileRunning = (work: () => Promise<unknown>, log: Log): (() => void) => {
  let isRunning = false;
  let said: string | null = null;
  const complain = (error: unknown): void => {
    const message = String(error);
    if (message !== said) log({ event: "catalogue_poll_failed", message });
    said = message;
  };
  return () => {
    if (isRunning) return;
    isRunning = true;
    work()
      .then(() => {
        said = null;
      }, complain)
      .finally(() => {
        isRunning = false;
      });
  };
};

const endProcess = (): void => process.exit(1);
