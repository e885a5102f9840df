import type { Log } from "../core/log-events.ts";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import type { NamedThread } from "../core/thread-usage.ts";
import { StorageRefusal, startThread, type Thread, ThreadEnded } from "../store/threads/start-thread.ts";
import { type AnswerOf, type Desk, type DeskCommand, DeskRefusal, DeskSilent } from "./desk.ts";
import type { DeskOptions, DeskQuestions } from "./desk-questions.ts";

/** Codes of PostgreSQL (classes 08 and 57) and of the network: whether a commit was under way nobody knows. A file has none. */
const isLostConnection = (code: string): boolean => /^(?:08|57|E[A-Z])/.test(code);

/** No thread could be made, so that nothing was done. */
const notMade = "ERR_WORKER_INIT_FAILED";

/** Whether a thread could not be made or could not load its program, as where the process may open no more files: that passes. */
const isShortage = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  (("code" in error && error.code === notMade) || /EMFILE|too many open files/.test(error.message));

/** Each takes a millisecond as a rule; more than these wait for something else. */
const mostAtOnce = 200;
/** What reads the whole ledger, seconds of it where there are millions of lines: it has a thread of its own, */
const statements: ReadonlySet<DeskCommand> = new Set(["readAdvertiserMonth", "exportAdvertiserMonth"]);
/** and whoever asks for more of it at once waits for nothing that would come in time. */
const mostStatementsAtOnce = 4;
/** After so many milliseconds without a command the thread is let go: it holds some 60 MB, and is back in half a second. */
const idleMs = 5 * 60_000;

type Options = DeskOptions & { clock: () => number; log: Log; onDeath: (error: Error) => void };

/**
 * Prepares the desk, whose threads start with the first command of each: a service whose dashboard nobody opens has none.
 * `onDeath` is called when a thread fails, but for want of files: then the next command starts another one.
 * @param options.clock milliseconds since the epoch.
 */
export function startDesk(options: Options): Desk {
  const usual = prepareThread("desk", mostAtOnce, options);
  const forStatements = prepareThread("statements", mostStatementsAtOnce, options);
  const both = [usual, forStatements];
  const each = async (work: (one: Desk) => Promise<void>): Promise<void> => {
    await Promise.all(both.map(work));
  };
  return {
    ask: (name, asked, actor) => (statements.has(name) ? forStatements : usual).ask(name, asked, actor),
    threads: () => both.flatMap((one) => one.threads()),
    rest: () => each((one) => one.rest()),
    close: () => each((one) => one.close()),
  };
}

/** A desk of one thread, which is asked so many commands at once at the most. */
const prepareThread = (threadName: NamedThread["name"], most: number, options: Options): Desk => {
  const { clock, log, onDeath, ...workerData } = options;
  let thread: Thread<DeskQuestions> | null = null;
  /** Resolves when the thread that was let go last has ended. */
  let ending = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let underWay = 0;
  let isClosed = false;
  const letGo = (): Promise<void> => {
    clearTimeout(idle);
    const ended = thread?.close();
    thread = null;
    ending = Promise.all([ending, ended]).then(() => undefined);
    return ending;
  };
  const started = (): Thread<DeskQuestions> => {
    if (thread !== null) return thread;
    const own = startThread<DeskQuestions, never>(new URL("./desk-thread.ts", import.meta.url), {
      workerData,
      onTold: () => undefined,
      onDeath: (error) => {
        if (thread === own) thread = null;
        if (!isShortage(error)) onDeath(error);
      },
    });
    thread = own;
    return own;
  };
  return {
    ask: async <Name extends DeskCommand>(
      name: Name,
      asked: unknown,
      actor?: Parameters<Desk["ask"]>[2],
    ): Promise<AnswerOf<Name>> => {
      if (isClosed) throw new StorageUnavailable("the service is closing", 1);
      if (underWay >= most) throw new StorageUnavailable("too many wait for the desk", 1);
      underWay += 1;
      clearTimeout(idle);
      try {
        const outcome = await started().ask("run", { name, asked, actor: actor ?? null, now: clock() });
        if (!outcome.ok) throw new DeskRefusal(outcome.refused);
        // The thread's table of commands is typed by the same names.
        return outcome.answer as AnswerOf<Name>;
      } catch (error) {
        if (isShortage(error)) {
          log({ event: "desk_not_started", code: error.code, message: error.message });
          const Unavailable = error.code === notMade ? StorageUnavailable : DeskSilent;
          throw new Unavailable("the desk has no thread", 1);
        }
        if (error instanceof ThreadEnded) throw new DeskSilent("the service is closing", 1);
        if (!(error instanceof StorageRefusal)) throw error;
        const Unavailable = isLostConnection(error.code) ? DeskSilent : StorageUnavailable;
        throw new Unavailable(`the storage refuses (${error.code})`, error.retryAfterSeconds);
      } finally {
        underWay -= 1;
        if (underWay === 0 && !isClosed) idle = setTimeout(letGo, idleMs).unref();
      }
    },
    threads: () => (thread === null ? [] : [{ name: threadName, usage: thread.usage }]),
    rest: async () => {
      if (underWay === 0) await letGo();
    },
    close: async () => {
      isClosed = true;
      await letGo();
    },
  };
};
