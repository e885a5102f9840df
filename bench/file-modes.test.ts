import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../server/testing/free-port.ts";
import { inheritedEnvironment, repositoryRoot } from "./program.ts";
import { untilReady } from "./service.ts";

let dataDir = "";
const started: ChildProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "modes-"));
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  rmSync(dataDir, { recursive: true });
});

/** A program of the project, in a shell whose user lets everybody read what they write. */
const run = (program: string, words: readonly string[], environment: Record<string, string> = {}) => {
  const child = spawn(
    "sh",
    ["-c", 'umask 022; exec "$@"', "sh", process.execPath, join(repositoryRoot, program), ...words],
    {
      cwd: dataDir,
      env: { ...inheritedEnvironment(), DATA_DIR: dataDir, LOG_LEVEL: "silent", ...environment },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  started.push(child);
  return child;
};

const admin = async (...words: string[]) => {
  const [code] = await once(run("server/admin/main.ts", words), "exit");
  expect(code).toBe(0);
};

/** The name of each file, of a mark up to its process, and what others than its owner may do with it. */
const openToOthers = () =>
  Object.fromEntries(
    readdirSync(dataDir).map((name) => [
      name.replace(/^(running-\d+)-.*$/, "$1"),
      statSync(join(dataDir, name)).mode & 0o077,
    ]),
  );

/** What the kernel says of a process's mask. */
const maskOf = (child: ChildProcess) =>
  /^Umask:\s*(\d+)$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];

describe.skipIf(process.platform === "win32")("nobody but their user can read the files of", () => {
  test("the service: database, log, shared memory and secret", async () => {
    const port = await freePort();
    const service = run("server/main.ts", [], { PORT: String(port) });
    await untilReady(`http://127.0.0.1:${port}`, service, () => "");
    expect(openToOthers()).toEqual({
      "offers.sqlite": 0,
      "offers.sqlite-shm": 0,
      "offers.sqlite-wal": 0,
      [`running-${service.pid}`]: 0,
      "token-secret": 0,
    });
  }, 90_000);

  test("the command line: a database that it makes, a backup, an export", async () => {
    await admin("publisher", "create", "--name", "A");
    await admin("backup", "--to", join(dataDir, "backup.sqlite"));
    await admin("offer", "export", "--file", join(dataDir, "offers.csv"));
    expect(openToOthers()).toEqual({ "offers.sqlite": 0, "backup.sqlite": 0, "offers.csv": 0 });
  });

  test.skipIf(process.platform !== "linux").each(["start.ts", "main.ts"])(
    "the demo site's %s, whatever it should come to write",
    async (program) => {
      const [port, demoPort] = [await freePort(), await freePort()];
      const demo = run(`demo-site/${program}`, [], {
        PORT: String(port),
        DEMO_PORT: String(demoPort),
        SEED_DEMO: "true",
      });
      await expect
        .poll(
          () =>
            fetch(`http://localhost:${demoPort}/`).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 20_000 },
        )
        .toBe(200);
      expect(maskOf(demo)).toBe("0077");
    },
    30_000,
  );
});
