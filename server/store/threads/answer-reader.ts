import type { MessagePort } from "node:worker_threads";
import type { StorageTrouble } from "../journal/journal.ts";
import { type Answers, prepareAnswering } from "./answer-questions.ts";
import type { ReaderQuestions, ToldByReader } from "./reader-questions.ts";
import type { Question, Reply } from "./start-thread.ts";

/** A database that is open, and what it answers. */
export type Reading = Omit<Answers<ReaderQuestions>, "poll" | "close"> & {
  /** At `now`, in milliseconds since the epoch. Never asked again before it has answered. */
  poll(now: number): Promise<ReaderQuestions["poll"]["answer"]>;
  close(): void | Promise<void>;
};

type Asked = Question<ReaderQuestions>;
type Answer = (question: Asked) => Promise<void>;

/**
 * The thread for everything that is not the journal: it reads what requests are answered from, so that no request waits
 * for the storage. The first poll opens the database; what fails then ends the thread, for a store that cannot read does
 * not open.
 */
export function answerReader(
  port: MessagePort,
  {
    open,
    troubleOf,
    waitsForServer,
  }: {
    open: (now: number, tell: (told: ToldByReader) => void) => Promise<Reading>;
    troubleOf: (error: unknown) => StorageTrouble | null;
    /** Whether this thread is free for others while a question is answered. */
    waitsForServer: boolean;
  },
): void {
  let opening: Promise<Reading> | null = null;
  const opened = (): Promise<Reading> => {
    if (opening === null) throw new Error("a question came before the database was opened");
    return opening;
  };
  const tell = (told: ToldByReader) => port.postMessage({ told } satisfies Reply<ToldByReader>);
  const answer = prepareAnswering<ReaderQuestions>(
    port,
    {
      poll: async ({ now }) => {
        opening ??= open(now, tell).catch((error: unknown) => {
          // Without a code: it is no trouble that passes, whatever the storage calls it.
          throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
        });
        return (await opening).poll(now);
      },
      report: async (asked) => (await opened()).report(asked),
      explain: async (asked) => (await opened()).explain(asked),
      findSession: async (sessionId) => (await opened()).findSession(sessionId),
      findAccessToken: async (idHash) => (await opened()).findAccessToken(idHash),
      putChunks: async (asked) => (await opened()).putChunks(asked),
      findChunk: async (name) => (await opened()).findChunk(name),
      measure: async (asked) => (await opened()).measure(asked),
      hasUsers: async (asked) => (await opened()).hasUsers(asked),
      close: async () => {
        await (await opening?.catch(() => null))?.close();
        return null;
      },
    },
    troubleOf,
  );
  port.on("message", waitsForServer ? sideBySide(answer) : oneByOne(answer));
}

const isReport = ({ kind }: Asked): boolean => kind === "report" || kind === "explain";

const longestPauseMs = 100;

/** Answers one question after another, and reports behind all else. Nothing is answered after `close`. */
const oneByOne = (answer: Answer): ((question: Asked) => void) => {
  const urgent: Asked[] = [];
  const reports: Asked[] = [];
  let isBusy = false;
  const work = async (): Promise<void> => {
    isBusy = true;
    for (;;) {
      // What has arrived meanwhile: a poll must not wait behind a row of long reports.
      await new Promise(setImmediate);
      const next = urgent.shift() ?? reports.shift();
      if (next === undefined) break;
      const since = performance.now();
      await answer(next);
      if (next.kind === "close") return;
      // A row of long reports leaves half of this processor to those who record and answer events.
      if (reports.length > 0) await pause(Math.min(performance.now() - since, longestPauseMs));
    }
    isBusy = false;
  };
  return (question) => {
    (isReport(question) ? reports : urgent).push(question);
    if (!isBusy) void work();
  };
};

/** Polls come one after another, and so do reports; whatever else is asked waits for neither. */
const sideBySide = (answer: Answer): ((question: Asked) => void) => {
  let isClosing = false;
  const unlessClosing: Answer = async (question) => {
    if (isClosing) return;
    try {
      await answer(question);
    } catch (error) {
      // Its connection was closed under it, and who has asked is told that the thread has ended.
      if (!isClosing) throw error;
    }
  };
  const [poll, report] = [oneByOne(unlessClosing), oneByOne(unlessClosing)];
  return (question) => {
    if (question.kind === "close") {
      isClosing = true;
      void answer(question);
    } else if (question.kind === "poll") poll(question);
    else if (isReport(question)) report(question);
    else void unlessClosing(question);
  };
};

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));
