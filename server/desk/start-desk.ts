import { JournalUnavailable } from "../store/journal/journal.ts";
import { StorageRefusal, startThread, type Thread, ThreadEnded } from "../store/threads/start-thread.ts";
import { type AnswerOf, type Desk, type DeskCommand, DeskRefusal } from "./desk.ts";
import type { DeskOptions, DeskQuestions } from "./desk-questions.ts";

/** Each takes a millisecond as a rule; more than these wait for something else. */
const mostAtOnce = 200;

/**
 * Prepares the desk, whose thread starts with the first command: a service whose dashboard nobody opens has none.
 * `onDeath` is called when the thread fails.
 * @param options.clock milliseconds since the epoch.
 */
export function startDesk(
  options: DeskOptions & { clock: () => number; onDeath: (error: Error) => void },
): Desk {
  const { clock, onDeath, ...workerData } = options;
  let thread: Thread<DeskQuestions> | null = null;
  let underWay = 0;
  let isClosed = false;
  const started = (): Thread<DeskQuestions> => {
    thread ??= startThread<DeskQuestions, never>(new URL("./desk-thread.ts", import.meta.url), {
      workerData,
      onTold: () => undefined,
      onDeath,
    });
    return thread;
  };
  return {
    ask: async <Name extends DeskCommand>(
      name: Name,
      asked: unknown,
      actor?: Parameters<Desk["ask"]>[2],
    ): Promise<AnswerOf<Name>> => {
      if (isClosed) throw new JournalUnavailable("the service is closing", 1);
      if (underWay >= mostAtOnce) throw new JournalUnavailable("too many wait for the desk", 1);
      underWay += 1;
      try {
        const outcome = await started().ask("run", { name, asked, actor: actor ?? null, now: clock() });
        if (!outcome.ok) throw new DeskRefusal(outcome.refused);
        // The thread's table of commands is typed by the same names.
        return outcome.answer as AnswerOf<Name>;
      } catch (error) {
        if (error instanceof ThreadEnded) throw new JournalUnavailable("the service is closing", 1);
        if (!(error instanceof StorageRefusal)) throw error;
        throw new JournalUnavailable(`the storage refuses (${error.code})`, error.retryAfterSeconds);
      } finally {
        underWay -= 1;
      }
    },
    threads: () => (thread === null ? [] : [{ name: "desk", usage: thread.usage }]),
    close: async () => {
      isClosed = true;
      await thread?.close();
    },
  };
}
