import type { RanOut } from "../../core/budget.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { entriesOf } from "../journal/entry-text.ts";
import type { StorageTrouble } from "../journal/journal.ts";
import { KnownOutcomes } from "../journal/known-outcomes.ts";
import { keepConnection, type LaneEvent, LaneRefusal } from "./lane-connection.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { CommitUnknown, type DecidedBatch } from "./write-batch.ts";
import type { BatchAnswer } from "./writer-questions.ts";
import { type WriterSession, withDeadline } from "./writer-session.ts";

export type Lane = {
  /** Rejects when there is no server that is fit. */
  open(): Promise<void>;
  /**
   * Writes the entries of a text, which costs at most `patienceMs` of waiting for a connection. Rejects with what the
   * storage suffers from when they are not written, as far as anybody can tell.
   */
  write(entries: string, kept: number, patienceMs: number): Promise<BatchAnswer>;
  close(): Promise<void>;
};

/** A part of a batch of which nobody could tell whether it was committed. */
type Undecided = { entries: readonly JournalEntry[]; kept: number; by: CommitUnknown };

const beatMs = 1000;
/** How long a batch waits for a connection that has been gone for longer than anybody waits: it may be there at any moment. */
const awayPatienceMs = 20;
/**
 * So long after a connection was made no entry of a batch that was refused before it comes again: hops have had their three
 * seconds, and kept entries and sums, which wait for as long as it takes, come first.
 */
const comesAgainMs = 60_000;

/**
 * One of the two ways into the database. A batch whose connection breaks is decided again on the next one, while its
 * patience lasts. Where it broke at the commit, the next connection finds out by the batch's number whether that was
 * committed after all: then what was decided stands, and is answered.
 */
export function createLane(options: {
  openSession: (given: { next: () => number; onEnd: () => void }) => Promise<WriterSession>;
  tell: (event: LaneEvent) => void;
}): Lane {
  const { openSession, tell } = options;
  const known = new KnownOutcomes();
  /** Offers that have run out by a batch which nobody knew to be committed. */
  let exhausted: RanOut[] = [];
  let undecided: Undecided | null = null;
  let number = 0;
  let isWriting = false;
  let isLookDue = false;
  let timer: NodeJS.Timeout | undefined;
  let forgetting: NodeJS.Timeout | undefined;

  const forgetInTime = (): void => {
    clearTimeout(forgetting);
    forgetting = setTimeout(() => {
      if (connection.lostAt() === null) known.clear();
    }, comesAgainMs).unref();
  };
  const settle = ({ committed }: WriterSession): void => {
    forgetInTime();
    number = Math.max(number, committed);
    const waiting = undecided;
    undecided = null;
    if (waiting === null || waiting.by.batch !== committed) return;
    known.add({ ...waiting, written: waiting.by.decided.written });
    exhausted.push(...waiting.by.decided.exhausted);
  };
  const connection = keepConnection({
    openSession: (onEnd) =>
      openSession({
        onEnd,
        next: () => {
          number += 1;
          return number;
        },
      }),
    adopt: settle,
    tell,
  });

  const writeOn = async (
    session: WriterSession,
    entries: readonly JournalEntry[],
    kept: number,
  ): Promise<BatchAnswer> => {
    const rest = known.without(entries, kept);
    const decided = rest.entries.length === 0 ? nothing : await writeRest(session, rest);
    const ranOut = exhausted;
    exhausted = [];
    return answerOf({
      written: rest.complete(decided.written),
      exhausted: [...ranOut, ...decided.exhausted],
    });
  };
  const writeRest = async (
    session: WriterSession,
    rest: { entries: readonly JournalEntry[]; kept: number },
  ): Promise<DecidedBatch> => {
    try {
      return await withDeadline(session.drop, () => session.batches.write(rest.entries, rest.kept));
    } catch (error) {
      if (error instanceof CommitUnknown) undecided = { ...rest, by: error };
      throw error;
    }
  };
  /** The trouble that a batch had which is worth another attempt; what it failed by is thrown where it is not. */
  const passingTrouble = async (session: WriterSession, error: unknown): Promise<StorageTrouble> => {
    if (error instanceof CommitUnknown) {
      connection.lose(session, "lost");
      return { code: "commit_unknown", retryAfterSeconds: 1 };
    }
    const trouble = storageTrouble(error);
    if (trouble === null) {
      const code = codeOfServer(error);
      if (code === null) throw error;
      // Such as a statement that was prepared before a migration: the next connection prepares its own.
      connection.lose(session, "lost");
      throw new LaneRefusal({ code, retryAfterSeconds: 1 });
    }
    const state = await session.check();
    if (state === "held") {
      if (isConflict(trouble)) return trouble;
      throw error;
    }
    connection.lose(session, state);
    if (state === "fenced") throw new LaneRefusal({ code: "fenced", retryAfterSeconds: 1 });
    return trouble;
  };
  const writeUntil = async (
    entries: readonly JournalEntry[],
    kept: number,
    until: number,
  ): Promise<BatchAnswer> => {
    for (;;) {
      const session = await connection.current(until);
      try {
        return await writeOn(session, entries, kept);
      } catch (error) {
        const trouble = await passingTrouble(session, error);
        if (performance.now() >= until) throw new LaneRefusal(trouble);
      }
    }
  };

  /** A lane that is never idle looks after a batch: its server's settings may have changed all the same. */
  const lookInTurn = (): void => {
    isLookDue = isWriting;
    if (!isWriting) void connection.look();
  };

  return {
    open: async () => {
      await connection.open();
      timer = setInterval(lookInTurn, beatMs);
    },
    write: async (text, kept, patienceMs) => {
      const until = waitsUntil(patienceMs, connection.lostAt());
      const entries = entriesOf(text);
      isWriting = true;
      try {
        if (entries.length > 0) return await writeUntil(entries, kept, until);
        // It is asked whether anything could be written.
        await connection.look();
        await connection.current(until);
        return answerOf(nothing);
      } finally {
        isWriting = false;
        if (isLookDue) lookInTurn();
      }
    },
    close: async () => {
      clearInterval(timer);
      clearTimeout(forgetting);
      await connection.close();
    },
  };
}

const waitsUntil = (patienceMs: number, lostAt: number | null): number => {
  const now = performance.now();
  return lostAt === null ? now + patienceMs : Math.max(lostAt + patienceMs, now + awayPatienceMs);
};

const nothing: DecidedBatch = { written: { outcomes: [], failures: [] }, exhausted: [] };

const answerOf = ({ written, exhausted }: DecidedBatch): BatchAnswer => ({
  writtenJson: JSON.stringify(written),
  exhausted,
});

/** The code of an error that the server has told. */
const codeOfServer = (error: unknown): string | null =>
  error instanceof Error && "severity" in error && "code" in error ? String(error.code) : null;

/** With somebody else's transaction, which has passed by now. A lock that was waited for long enough is none. */
const isConflict = ({ code }: StorageTrouble): boolean => code === "40001" || code === "40P01";
