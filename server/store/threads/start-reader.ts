import type { Log } from "../../core/log-events.ts";
import type { CatalogueChanges } from "../../core/snapshot-changes.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import type { Reader } from "../engine.ts";
import type { ReaderQuestions, ToldByReader } from "./reader-questions.ts";
import { StorageRefusal, startThread, ThreadEnded } from "./start-thread.ts";
import { withinPatience } from "./within-patience.ts";

/** How many reports may be under way: each takes milliseconds as a rule, and some seconds at the worst. */
const reportsAtOnce = 20;
/** How many single rows may be looked up: each takes some microseconds, so where more wait something else is the matter. */
const rowsAtOnce = 5000;
/**
 * How many chunks may be asked for. Anybody can make up the name of one, so they are asked for one after another, and a poll or
 * a session waits in the thread behind one of them at the most.
 */
const chunksAtOnce = 100;

/**
 * Starts the reader thread of an engine (answer-reader.ts), whose first poll opens and migrates the database. `onDeath` is
 * called once when the thread fails, and everything under way rejects.
 */
export function startReaderThread(
  script: URL,
  { workerData, log, onDeath }: { workerData: unknown; log: Log; onDeath: (error: Error) => void },
): Reader {
  /** What has come of the answer that is under way. */
  let parts: CatalogueChanges[] = [];
  let reports = 0;
  /** Why polls have failed since when (`performance.now()`); null: the last one has not. */
  let outage: { code: string; since: number } | null = null;
  const thread = startThread<ReaderQuestions, ToldByReader>(script, {
    workerData,
    onTold: (told) => void ("event" in told ? log(told) : parts.push(told)),
    onDeath,
  });
  /** The storage's refusal, or the end of the thread, in words that a caller answers 503 by. */
  const unavailable = (what: string, error: unknown): unknown => {
    if (error instanceof ThreadEnded) return new StorageUnavailable("the store is closing", 1);
    if (!(error instanceof StorageRefusal)) return error;
    log({ event: "read_failed", what, code: error.code });
    return new StorageUnavailable(`${what} could not be read (${error.code})`, 1);
  };

  const inTurn = async <T>(what: string, ask: () => Promise<T>): Promise<T | null> => {
    if (reports >= reportsAtOnce) return null;
    reports += 1;
    try {
      return await ask();
    } catch (error) {
      throw unavailable(what, error);
    } finally {
      reports -= 1;
    }
  };

  /** Of single rows, so many at a time. */
  const lookingUp = (most: number) => {
    let underWay = 0;
    return async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
      if (underWay >= most) throw new StorageUnavailable(`${what} waits behind too many others`, 1);
      underWay += 1;
      try {
        return await ask();
      } catch (error) {
        throw unavailable(what, error);
      } finally {
        underWay -= 1;
      }
    };
  };
  const lookUp = lookingUp(rowsAtOnce);
  const lookUpChunk = lookingUp(chunksAtOnce);
  let lastChunk: Promise<unknown> = Promise.resolve();
  /** One after another. One that fails fails those behind it: in an outage each would wait as long again. */
  const askForChunk = (name: string): Promise<Uint8Array | null> => {
    const asked = lastChunk.then(() => thread.ask("findChunk", name));
    lastChunk = asked;
    asked.catch(() => {
      if (lastChunk === asked) lastChunk = Promise.resolve();
    });
    return asked;
  };

  return {
    poll: async (now) => {
      try {
        const changes = await thread.ask("poll", { now });
        if (outage !== null) {
          const seconds = Math.round((performance.now() - outage.since) / 1000);
          outage = null;
          log({ event: "catalogue_poll_recovered", seconds });
        }
        return { ...changes, catalogue: parts };
      } catch (error) {
        if (!(error instanceof StorageRefusal)) throw error;
        const { code } = error;
        // Said once, and again when it is something else: polls come twice a second.
        if (outage?.code !== code) log({ event: "catalogue_poll_failed", code });
        outage = { code, since: outage?.since ?? performance.now() };
        // What it has read comes again: the version that it has seen has not moved.
        return null;
      } finally {
        parts = [];
      }
    },
    report: (filter, format) => inTurn("a report", () => thread.ask("report", { filter, format })),
    explain: (asked) => inTurn("a request", async () => ({ story: await thread.ask("explain", asked) })),
    findSession: (sessionId) => lookUp("a session", () => thread.ask("findSession", sessionId)),
    findAccessToken: (idHash) => lookUp("an access token", () => thread.ask("findAccessToken", idHash)),
    putChunks: async (chunks, now) => {
      await thread.ask("putChunks", { chunks, now });
    },
    findChunk: (name) => lookUpChunk("a chunk", () => askForChunk(name)),
    hasUsers: () => thread.ask("hasUsers", null),
    measure: (now) => lookUp("the size of the database", () => thread.ask("measure", now)),
    threads: () => [{ name: "reader", usage: thread.usage }],
    // What it reads nobody waits for any more, and a server that has fallen silent does not answer a farewell either.
    close: async () => {
      await withinPatience(thread.close());
      void thread.kill();
    },
  };
}
