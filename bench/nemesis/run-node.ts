import { spawn } from "node:child_process";
import { once } from "node:events";
import { atExit } from "../../server/testing/at-exit.ts";

/** Runs a program of Node in a folder to its end, and resolves with the last of what it wrote. It ends with this process. */
export async function runNode(words: readonly string[], { cwd }: { cwd: string }): Promise<string> {
  const child = spawn(process.execPath, words, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const callOff = atExit(() => child.kill("SIGTERM"));
  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  await once(child, "close");
  callOff();
  return output;
}
