import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { call } from "../testing/call.ts";
import { forbiddenIn } from "../testing/log-search.ts";

const root = mkdtempSync(join(tmpdir(), "offers-log-"));
const small = join(root, "small");
mkdirSync(small);
/** A disk of its own with 256 KiB; where nobody may mount one, what needs it is left out. */
const hasSmallDisk =
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", small], { stdio: "ignore" }).status === 0;
const hasFullDevice = existsSync("/dev/full");

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});
afterAll(() => {
  if (hasSmallDisk) spawnSync("umount", [small]);
  rmSync(root, { recursive: true });
});

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

/** The real program, whose log goes where nobody may be able to write; each call is to have a line. */
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

const linesOf = (log: string) =>
  log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A pipe by name, as a container's runtime gives one, which is full and which nobody reads. */
const openFullPipe = (): { reader: number; writer: number } => {
  const path = join(root, `pipe-${started.length}`);
  spawnSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const filling = Buffer.alloc(4096, "-");
  try {
    while (writeSync(reader, filling) > 0);
  } catch {
    // It is full.
  }
  return { reader, writer: openSync(path, constants.O_WRONLY) };
};

/** Reads what has come so far, and tells all of it. */
const readingOf = (reader: number): (() => string) => {
  const bytes = Buffer.alloc(1_048_576);
  let text = "";
  return () => {
    try {
      text += bytes.toString("utf8", 0, readSync(reader, bytes));
    } catch {
      // Nothing is there for the moment.
    }
    return text;
  };
};

describe("a service whose log cannot be written", { timeout: 60_000 }, () => {
  it.skipIf(!hasFullDevice)(
    "answers every call while the disk of its log is full, and ends as ever",
    async () => {
      const device = openSync("/dev/full", "w");
      const { decide, end } = await startInto(device);
      closeSync(device);
      expect(await decide(500)).toEqual([200]);
      expect(await end()).toEqual({ code: 0, stderr: "", inTime: true });
    },
  );

  it("answers every call while nobody reads a pipe that is full, logs on when somebody does, and ends as ever", async () => {
    const { reader, writer } = openFullPipe();
    const { decide, end } = await startInto(writer);
    closeSync(writer);
    expect(await decide(500)).toEqual([200]);
    const read = readingOf(reader);
    await expect.poll(read, { timeout: 5000 }).toContain('"event":"request"');
    expect(await decide(1)).toEqual([200]);
    expect(await end()).toEqual({ code: 0, stderr: "", inTime: true });
    await expect.poll(read).toContain('"event":"stopping"');
    expect(forbiddenIn(read().replaceAll("-".repeat(4096), ""))).toEqual([]);
    closeSync(reader);
  });

  it("ends as ever while nobody reads a pipe that is full", async () => {
    const { reader, writer } = openFullPipe();
    const { decide, end } = await startInto(writer);
    closeSync(writer);
    expect(await decide(50)).toEqual([200]);
    expect(await end()).toEqual({ code: 0, stderr: "", inTime: true });
    closeSync(reader);
  });

  it("answers every call once the reader of its log has gone, and ends as ever", async () => {
    const { child, decide, end } = await startInto("pipe");
    child.stdout?.destroy();
    expect(await decide(500)).toEqual([200]);
    expect(await end()).toEqual({ code: 0, stderr: "", inTime: true });
  });

  it.skipIf(!hasSmallDisk)(
    "answers every call on a disk that runs full, and goes on with whole lines when there is room again",
    async () => {
      const file = join(small, "log");
      const ballast = join(small, "ballast");
      writeFileSync(ballast, Buffer.alloc(240 * 1024));
      const log = openSync(file, "a");
      const { decide, end } = await startInto(log);
      closeSync(log);
      const full = () => {
        try {
          writeFileSync(join(small, "more"), Buffer.alloc(4096));
          return "room";
        } catch (error) {
          return (error as NodeJS.ErrnoException).code;
        } finally {
          rmSync(join(small, "more"), { force: true });
        }
      };
      await expect
        .poll(async () => [await decide(100), full()], { timeout: 20_000 })
        .toEqual([[200], "ENOSPC"]);
      expect(await decide(100)).toEqual([200]);
      const before = statSync(file).size;
      rmSync(ballast);
      await expect.poll(() => statSync(file).size, { timeout: 5000 }).toBeGreaterThan(before);
      expect(await end()).toEqual({ code: 0, stderr: "", inTime: true });
      const text = readFileSync(file, "utf8");
      // Each is whole: a torn one would not be JSON.
      expect(linesOf(text)).toContainEqual(expect.objectContaining({ event: "stopping" }));
      expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("{"))).toHaveLength(2);
      expect(forbiddenIn(text)).toEqual([]);
    },
  );

  it("counts what it lost of fifty thousand lines while nobody read, and keeps about a megabyte", async () => {
    const { reader, writer } = openFullPipe();
    const program = `
      import { createLineSink } from ${JSON.stringify(new URL("./line-sink.ts", import.meta.url).href)};
      process.stdout.on("error", () => {});
      const sink = createLineSink(1, (lines) => sink.write("LOST " + lines + "\\n"));
      for (let at = 0; at < 50_000; at += 1) sink.write("LINE " + String(at).padEnd(200, "x") + "\\n");
      process.stderr.write("written");
      process.on("SIGUSR2", () => sink.close().then(() => process.exit(0)));
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", writer, "pipe"],
    });
    started.push(child);
    closeSync(writer);
    await once(child.stderr ?? child, "data");
    const read = readingOf(reader);
    await expect.poll(read, { timeout: 20_000, interval: 5 }).toMatch(/LOST \d+\n/);
    const exited = once(child, "exit");
    child.kill("SIGUSR2");
    expect(await exited).toEqual([0, null]);
    const text = read();
    closeSync(reader);
    const kept = text.match(/LINE \d+x+\n/g) ?? [];
    expect(Number(/LOST (\d+)/.exec(text)?.[1])).toBe(50_000 - kept.length);
    expect(kept.length * 206).toBeLessThan(1_200_000);
  });
});

describe("a flood", { timeout: 240_000 }, () => {
  /** Sends so many calls in one connection, all at once by sixty, and counts the answers by status. */
  const sendThrough = (port: number, calls: number, count: (status: string) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = "GET /v1/r?t=forged HTTP/1.1\r\nHost: localhost\r\n\r\n";
      const socket = connect(port, "127.0.0.1");
      let [sent, answered] = [0, 0];
      let rest = "";
      const send = (): void => {
        const next = Math.min(60, calls - sent);
        sent += next;
        socket.write(request.repeat(next));
      };
      socket.on("error", reject);
      socket.on("connect", send);
      socket.on("data", (data: Buffer) => {
        const text = rest + data.toString("latin1");
        for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
          count(status);
          answered += 1;
        }
        // A status line may come in two pieces; what was counted is not looked at again.
        const last = text.lastIndexOf("HTTP/1.1 ");
        rest =
          last !== -1 && text.length - last < 12 ? text.slice(last) : text.slice(-8).replace(/[0-9]/g, "");
        if (answered === calls) {
          socket.end();
          resolve();
        } else if (answered === sent) send();
      });
    });

  it("of a hundred thousand calls that fail costs the disk a hundred lines a second, and says how many it left out", async () => {
    const file = join(root, "flooded");
    const log = openSync(file, "a");
    const { port, end } = await startInto(log);
    closeSync(log);
    const statuses: Record<string, number> = {};
    const startedAt = performance.now();
    const calls = 100_000;
    const ofOne = 500;
    let left = calls / ofOne;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await sendThrough(port, ofOne, (status) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    const seconds = (performance.now() - startedAt) / 1000;
    expect(statuses).toEqual({ 400: calls });
    expect(await end()).toMatchObject({ code: 0, stderr: "" });
    const lines = linesOf(readFileSync(file, "utf8"));
    const told = lines.filter(({ event, path }) => event === "request" && path === "/v1/r").length;
    const leftOut = lines
      .filter(({ event, of }) => event === "log_lines_left_out" && of === "request")
      .reduce((sum, { lines: some }) => sum + Number(some), 0);
    expect(told).toBeGreaterThan(99);
    expect(told).toBeLessThanOrEqual(100 * (seconds + 2));
    expect(told + leftOut).toBeGreaterThanOrEqual(calls);
    expect(statSync(file).size).toBeLessThan(250 * 100 * (seconds + 10));
  });
});
