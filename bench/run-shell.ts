import { spawn } from "node:child_process";
import { repositoryRoot } from "./program.ts";

/** Runs a page's commands in one shell in the project's folder, as a reader would; all that they print. Throws when one fails. */
export async function runShell(script: string, env: Record<string, string | undefined>): Promise<string> {
  const shell = spawn("bash", ["-eu", "-o", "pipefail", "-c", script], { cwd: repositoryRoot, env });
  let [out, err] = ["", ""];
  shell.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  shell.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const code = await new Promise((resolve) => shell.once("close", resolve));
  if (code !== 0) throw new Error(`a command of the page ended with ${code}:\n${err}\n${out.slice(-2000)}`);
  return out;
}
