import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "../../server/testing/at-exit.ts";
import { freePort } from "../../server/testing/free-port.ts";
import { inheritedEnvironment } from "../program.ts";

/** A process that is measured: the service, or what it is compared with. */
export type Measured = { url: string; pid: number };
export type Yardstick = Measured & { stop: () => Promise<void> };

/** What the floor answers with: the head and body of one of the service's own answers. */
export type FloorAnswer = { headers: string[]; body: string };

export function startBareHttp(): Promise<Yardstick> {
  return startProgram("bare-http.ts", [], {});
}

export function startBareExpress(): Promise<Yardstick> {
  return startProgram("bare-express.ts", [], {});
}

/** `preload`: variables of the environment that put a library before the C library. */
export async function startFloor(
  answer: FloorAnswer,
  preload: Record<string, string> = {},
): Promise<Yardstick> {
  const directory = await mkdtemp(join(tmpdir(), "floor-"));
  const callOff = atExit(() => rmSync(directory, { recursive: true }));
  const words = [join(directory, "floor.sqlite"), JSON.stringify(answer)];
  const program = await startProgram("floor.ts", words, preload);
  return {
    ...program,
    stop: async () => {
      await program.stop();
      await rm(directory, { recursive: true, force: true });
      callOff();
    },
  };
}

const startProgram = async (
  file: string,
  words: readonly string[],
  environment: Record<string, string>,
): Promise<Yardstick> => {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, file), String(port), ...words], {
    env: { ...inheritedEnvironment(), NODE_ENV: "production", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(atExit(() => child.kill("SIGKILL")));
  await Promise.race([once(child.stdout, "data"), ended.then(() => failed(child, file))]);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
};

const failed = (child: ChildProcess, file: string): never => {
  throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode} before it listened`);
};
