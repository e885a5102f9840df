import { type MessagePort, workerData } from "node:worker_threads";
import { connect } from "../store/postgres/connect.ts";
import type { AsideAnswer, AsideQuestion } from "./rows-aside.ts";

// Answers statements in a thread that nobody waits for but by the flag: whoever asked is blocked until it is raised.

const { url, port, flag }: { url: string; port: MessagePort; flag: Int32Array<SharedArrayBuffer> } =
  workerData;
const client = await connect({ url, name: "offers tests aside" });

port.on("message", async (question: AsideQuestion | null) => {
  if (question === null) {
    await client.end();
    port.close();
    return;
  }
  port.postMessage(await answered(question));
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
});

const answered = async ({ number, statements }: AsideQuestion): Promise<AsideAnswer> => {
  try {
    const answers: Record<string, unknown>[][] = [];
    for (const statement of statements) answers.push((await client.query(statement)).rows);
    return { number, rows: answers };
  } catch (error) {
    return { number, problem: String(error) };
  }
};
