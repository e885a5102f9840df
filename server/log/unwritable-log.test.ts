import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { forbiddenIn } from "../testing/log-search.ts";
import { linesOf, prepareLoggingPrograms } from "../testing/logging-programs.ts";

const { root, started, startInto } = prepareLoggingPrograms();
const small = join(root, "small");
mkdirSync(small);
/** A disk of its own with 256 KiB; where nobody may mount one, what needs it is left out. */
const hasSmallDisk =
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", small], { stdio: "ignore" }).status === 0;
const hasFullDevice = existsSync("/dev/full");

afterAll(() => {
  if (hasSmallDisk) spawnSync("umount", [small]);
});

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
      const sink = createLineSink(1, { onLosing: () => {}, onLost: (lines) => sink.write("LOST " + lines + "\\n") });
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
