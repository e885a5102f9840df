import type { MessagePort } from "node:worker_threads";
import type { StorageTrouble } from "../journal/journal.ts";
import type { Question, Questions, Reply } from "./start-thread.ts";

/** How a thread answers each kind of question. What an answer throws ends the thread, unless the storage refused. */
export type Answers<Q extends Questions> = {
  [Kind in keyof Q]: (asked: Q[Kind]["asked"]) => Q[Kind]["answer"] | Promise<Q[Kind]["answer"]>;
};

/**
 * The thread's half of `startThread`: what answers one question by its message. The last question is `close`.
 * @param troubleOf what the storage suffers from when an error says so; null for any other error.
 */
export function prepareAnswering<Q extends Questions>(
  port: MessagePort,
  answers: Answers<Q>,
  troubleOf: (error: unknown) => StorageTrouble | null,
): (question: Question<Q>) => Promise<void> {
  const post = (reply: Reply<never>, moved: ArrayBuffer[]) => port.postMessage(reply, moved);
  return async ({ id, kind, asked }) => {
    try {
      const answer = await answers[kind](asked);
      // Bytes are moved, not copied: a report may be long, and the main thread has other things to do.
      post(
        { id, answer },
        answer instanceof Uint8Array && answer.buffer instanceof ArrayBuffer ? [answer.buffer] : [],
      );
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      post({ id, trouble }, []);
    }
    if (kind === "close") port.close();
  };
}
