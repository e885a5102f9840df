import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../server/testing/free-port.ts";
import { findPostgres } from "../../server/testing/postgres-server.ts";
import { inheritedEnvironment } from "../program.ts";

const soon = { timeout: 60_000, interval: 100 };

describe.skipIf(findPostgres() === null)("npm run cluster", { timeout: 120_000 }, () => {
  // Whatever it makes is below this folder.
  const directory = mkdtempSync(join(tmpdir(), "cluster-"));
  let program: ReturnType<typeof spawn>;
  let said = "";
  let address = "";
  let cookie = "";
  /** Every process that it has ever named. */
  const named = (): Set<number> =>
    new Set([...said.matchAll(/process (\d+)/g)].map(([, pid]) => Number(pid)));
  const processOf = (who: string): number =>
    Number([...said.matchAll(new RegExp(`${who}\\b[^\\n]*? process (\\d+)`, "gi"))].at(-1)?.[1]);
  const get = async (path: string): Promise<number> => {
    const answer = await fetch(`${address}${path}`, { headers: { cookie } });
    await answer.body?.cancel();
    return answer.status;
  };

  beforeAll(async () => {
    // The database is another user's where we are root.
    chmodSync(directory, 0o755);
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    program = spawn(process.execPath, [join(import.meta.dirname, "start.ts")], {
      env: {
        ...inheritedEnvironment(),
        TMPDIR: directory,
        PORT: String(port),
        DEMO_PORT: String(await freePort()),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [program.stdout, program.stderr])
      stream?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
    await vi.waitFor(() => expect(said).toContain("Ctrl+C ends all of them"), soon);
  }, 90_000);
  afterAll(() => {
    program.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });

  test("says which processes there are, and lets the demo's user in", async () => {
    expect([...named()].filter(isAlive)).toHaveLength(4);
    const link = new RegExp(`${address}/dash/link/\\S+`).exec(said)?.[0] ?? "";
    const page = await (await fetch(link)).text();
    const fields = [...page.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
    const answer = await fetch(link, {
      method: "POST",
      redirect: "manual",
      headers: { origin: address, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields.map(([, name = "", value = ""]): [string, string] => [name, value])),
    });
    expect(answer.status).toBe(303);
    cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect(await get("/dash/api/me")).toBe(200);
  });

  test.each([
    ["node 1", /Node 1 is back as process (\d+)/],
    ["node 2", /Node 2 is back as process (\d+)/],
    ["standby", /The standby is process (\d+)/],
    ["primary", /takes writes now.*The standby is process (\d+)/s],
  ])("goes on without its %s, and starts it again", async (who, isBack) => {
    const before = said.length;
    process.kill(processOf(who), "SIGKILL");
    await vi.waitFor(() => expect(said.slice(before)).toMatch(isBack), soon);
    await vi.waitFor(async () => {
      const answers = [
        await get("/dash/api/me"),
        await get("/dash/api/report?publisher=publisher_northwind"),
      ];
      expect(answers).toEqual([200, 200]);
    }, soon);
    expect([...named()].filter(isAlive)).toHaveLength(4);
  });

  test("ends with all of its processes, and leaves no file", async () => {
    const all = [...named()].filter(isAlive);
    const ended = once(program, "exit");
    program.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
    expect(all.filter(isAlive)).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
  });
});

/** One that has ended and that nobody has asked for yet is none. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
};
