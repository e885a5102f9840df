import { once } from "node:events";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

export type AsideQuestion = { number: number; statements: readonly string[] };

/** To the question of that number: the rows of each statement, or what the database said against one. */
export type AsideAnswer = { number: number } & ({ rows: Record<string, unknown>[][] } | { problem: string });

/** Asks a PostgreSQL and waits for it, as a test asks a file: this thread stands still until all rows are there. */
export type RowsAside = {
  ask(...statements: string[]): Record<string, unknown>[][];
  close(): Promise<void>;
};

/** Nothing that a test asks takes as long, be the machine as busy as it likes. */
const patienceMs = 50_000;

export function openRowsAside(url: string): RowsAside {
  const { port1, port2 } = new MessageChannel();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL("./rows-aside-thread.ts", import.meta.url), {
    workerData: { url, port: port2, flag },
    transferList: [port2],
  });
  const ended = once(thread, "exit");
  port1.unref();
  let asked = 0;
  /** An answer that came too late for its own question is none to the next one. */
  const answerTo = (number: number): AsideAnswer | undefined => {
    const deadline = performance.now() + patienceMs;
    for (let left = patienceMs; left > 0; left = deadline - performance.now()) {
      const answer: AsideAnswer | undefined = receiveMessageOnPort(port1)?.message;
      if (answer?.number === number) return answer;
      if (answer === undefined) Atomics.wait(flag, 0, 0, left);
      Atomics.store(flag, 0, 0);
    }
    return undefined;
  };
  return {
    ask: (...statements) => {
      asked += 1;
      Atomics.store(flag, 0, 0);
      port1.postMessage({ number: asked, statements } satisfies AsideQuestion);
      const answer = answerTo(asked);
      if (answer === undefined) throw new Error(`no rows after ${patienceMs} ms: ${statements}`);
      if ("problem" in answer) throw new Error(`${answer.problem}: ${statements}`);
      return answer.rows.map((rows) => rows.map(withBuffers));
    },
    close: async () => {
      port1.postMessage(null);
      await ended;
    },
  };
}

/** Bytes as SQLite gives them: on their way between threads they became a plain array of them. */
const withBuffers = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value instanceof Uint8Array ? Buffer.from(value) : value,
    ]),
  );
