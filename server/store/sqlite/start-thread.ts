import { Worker } from "node:worker_threads";

export type Thread<In> = {
  post(message: In): void;
  /** Resolves when the thread has ended by itself. */
  ended: Promise<void>;
  /** From now on its end is no accident. */
  expectEnd(): void;
  /** Ends it at once, whatever it is doing. */
  kill(): Promise<void>;
};

/**
 * Starts a thread of this room. `onDeath` is called once when it fails, or ends without having been asked to:
 * nothing works without it, so the caller has to stop the whole process.
 */
export function startThread<In, Out>(
  script: URL,
  options: { workerData: unknown; onMessage: (message: Out) => void; onDeath: (error: Error) => void },
): Thread<In> {
  const worker = new Worker(script, { workerData: options.workerData });
  const ended = Promise.withResolvers<void>();
  let isEndExpected = false;
  const die = (error: Error) => {
    if (isEndExpected) return;
    isEndExpected = true;
    options.onDeath(error);
  };
  worker.on("message", options.onMessage);
  // What a thread throws arrives as a copy, and need not be an error at all.
  worker.on("error", (error: unknown) => die(error instanceof Error ? error : new Error(String(error))));
  worker.on("messageerror", die);
  worker.on("exit", (code) => {
    die(new Error(`the thread ${script.pathname} ended by itself with code ${code}`));
    ended.resolve();
  });
  return {
    post: (message) => worker.postMessage(message),
    ended: ended.promise,
    expectEnd: () => {
      isEndExpected = true;
    },
    kill: async () => {
      isEndExpected = true;
      await worker.terminate();
    },
  };
}
