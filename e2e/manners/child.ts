import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** How long a browser may take to come up, in milliseconds, on a machine that has much else to do. */
const patience = 90_000;

/** The first match in what a process writes. Rejects when it ends, cannot be started or takes too long. */
export function lineOf(
  child: ChildProcess,
  stream: "stdout" | "stderr" | Readable,
  wanted: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const source = typeof stream === "string" ? child[stream] : stream;
    let text = "";
    const fail = (what: string) => reject(new Error(`${child.spawnfile} ${what}:\n${text.slice(-2000)}`));
    const timer = setTimeout(() => fail("was not ready in time"), patience);
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code) => fail(`ended with ${code}`));
    source?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = wanted.exec(text);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
}

/** Ends a process of ours, by force when asking does not help, and waits until it is gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 3000);
  await gone;
  clearTimeout(timer);
}
