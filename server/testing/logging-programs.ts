import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect } from "vitest";
import { call } from "./call.ts";
import { freePort } from "./free-port.ts";

/**
 * The real program, whose log goes where a test says, be it where nobody can write; each call is to have a line. What was
 * started ends with its test, and the folder goes with the last of them.
 */
export function prepareLoggingPrograms() {
  const root = mkdtempSync(join(tmpdir(), "offers-log-"));
  const started: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));
  const startInto = async (stdout: number | "pipe") => {
    const port = await freePort();
    const child = spawn(process.execPath, [join(import.meta.dirname, "../main.ts")], {
      env: {
        ...{ PATH: process.env.PATH, PORT: String(port), DATA_DIR: mkdtempSync(join(root, "data-")) },
        ...{ LOG_LEVEL: "debug", RATE_LIMIT_FACTOR: "100000" },
      },
      stdio: ["ignore", stdout, "pipe"],
    });
    started.push(child);
    let stderr = "";
    child.stderr?.on("data", (data: Buffer) => {
      stderr += data.toString();
    });
    const url = `http://127.0.0.1:${port}`;
    const ready = () =>
      call(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready, { timeout: 20_000 }).toBe(200);
    const decide = async (times: number): Promise<number[]> => {
      const statuses = [];
      for (let at = 0; at < times; at += 1) {
        const path = "/v1/decision?pub=pub_northwind&website=ws_journal";
        statuses.push((await call(`${url}${path}`, { origin: "http://localhost:8788", from: null })).status);
      }
      return [...new Set(statuses)];
    };
    const end = async () => {
      const startedAt = performance.now();
      const exited = once(child, "exit");
      child.kill("SIGINT");
      const [code] = await exited;
      return { code, stderr, inTime: performance.now() - startedAt < 8000 };
    };
    return { child, port, url, decide, end };
  };
  return { root, started, startInto };
}

/** The lines of a log that are none of what it says to whoever starts it. */
export function linesOf(log: string): Record<string, unknown>[] {
  return log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
