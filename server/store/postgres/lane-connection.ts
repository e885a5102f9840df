import type { StorageTrouble } from "../journal/journal.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { type SessionState, UnfitServer, type WriterSession } from "./writer-session.ts";

/** What happens to a lane's connection; the warnings are those of the server that it leads to now. */
export type LaneEvent =
  | { event: "database_connected"; warnings: readonly string[] }
  | { event: "database_connection_lost" | "node_fenced" }
  | { event: "database_settings_changed" }
  | { event: "database_away"; message: string };

/** What is told of a session that is of no use any more. */
const lossOf = {
  lost: "database_connection_lost",
  fenced: "node_fenced",
  // The next connection judges the settings, and refuses them or tells its warnings.
  changed: "database_settings_changed",
} as const satisfies Record<Exclude<SessionState, "held">, LaneEvent["event"]>;

/** Why a lane cannot write, where no error of the database says it. */
export class LaneRefusal extends Error implements StorageTrouble {
  override readonly name = "LaneRefusal";
  readonly code: string;
  readonly retryAfterSeconds: number;

  constructor({ code, retryAfterSeconds }: StorageTrouble) {
    super(`the lane cannot write (${code})`);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type LaneConnection = {
  /** Connects for the first time. Rejects where there is no server that is fit. */
  open(): Promise<void>;
  /** The session that stands, else the next one, for which it is waited until that moment (`performance.now()`) and no longer. */
  current(until: number): Promise<WriterSession>;
  /** Since when there is none (`performance.now()`); null: there is one. */
  lostAt(): number | null;
  /** A session is of no use any more: another one is made. */
  lose(session: WriterSession, state: keyof typeof lossOf): void;
  /** Asks the session that stands whether it still does, where there is one. */
  look(): Promise<void>;
  close(): Promise<void>;
};

/** A server that has been away for longer than a click waits is not waited for any more: nobody knows when it comes back. */
const longAwayMs = 3000;
/** Between two attempts, the first of which follows a loss at once. */
const leastRestMs = 20;
const mostRestMs = 1000;

/** Keeps a connection: whenever it is lost the next one is tried for, for as long as it takes. `adopt` hears of each. */
export function keepConnection(options: {
  openSession: (onEnd: () => void) => Promise<WriterSession>;
  adopt: (session: WriterSession) => void;
  tell: (event: LaneEvent) => void;
}): LaneConnection {
  const { openSession, adopt, tell } = options;
  const closing = Promise.withResolvers<void>();
  let session: WriterSession | null = null;
  let reopening: Promise<void> = Promise.resolve();
  let away: { trouble: StorageTrouble; message: string } | null = null;
  let lostAt: number | null = null;
  let isClosed = false;

  const connect = async (): Promise<void> => {
    let opened: WriterSession | null = null;
    let hasEnded = false;
    opened = await openSession(() => {
      hasEnded = true;
      if (opened !== null) lose(opened, "lost");
    });
    if (isClosed || hasEnded) return opened.drop();
    adopt(opened);
    session = opened;
    [away, lostAt] = [null, null];
    tell({ event: "database_connected", warnings: opened.warnings });
  };
  const reopen = async (): Promise<void> => {
    for (let rest = leastRestMs; session === null && !isClosed; rest = Math.min(2 * rest, mostRestMs)) {
      try {
        await connect();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        // Said once, and again when it is something else.
        if (away?.message !== message) tell({ event: "database_away", message });
        away = { trouble: awayBy(error), message };
      }
      if (session === null) await Promise.race([pause(rest), closing.promise]);
    }
  };
  const lose: LaneConnection["lose"] = (lost, state) => {
    lost.drop();
    if (session !== lost) return;
    session = null;
    lostAt = performance.now();
    if (isClosed) return;
    tell({ event: lossOf[state] });
    reopening = reopen();
  };

  return {
    open: connect,
    lostAt: () => lostAt,
    lose,
    current: async (until) => {
      if (session !== null) return session;
      await Promise.race([reopening, pause(until - performance.now())]);
      if (session !== null) return session;
      throw new LaneRefusal(refusalOf(away?.trouble ?? connectionLost, lostAt));
    },
    look: async () => {
      const standing = session;
      if (standing === null) return;
      const state = await standing.check();
      if (state !== "held") lose(standing, state);
    },
    close: async () => {
      isClosed = true;
      closing.resolve();
      const standing = session;
      session = null;
      await Promise.all([standing?.end(), reopening]);
    },
  };
}

const refusalOf = (trouble: StorageTrouble, lostAt: number | null): StorageTrouble => {
  const isLong = lostAt !== null && performance.now() - lostAt > longAwayMs;
  return isLong ? { ...trouble, retryAfterSeconds: Math.max(5, trouble.retryAfterSeconds) } : trouble;
};

const connectionLost: StorageTrouble = { code: "08006", retryAfterSeconds: 1 };

const awayBy = (error: unknown): StorageTrouble =>
  error instanceof UnfitServer ? error : (storageTrouble(error) ?? connectionLost);

const pause = (ms: number): Promise<void> =>
  new Promise((resume) => void setTimeout(resume, Math.max(0, ms)));
