import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLineSink, type SinkPorts } from "./line-sink.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A file descriptor by hand: it takes so many bytes, or has an error; each write waits until it is let go. */
const newFile = () => {
  const file = { text: "", room: Number.POSITIVE_INFINITY, code: "ENOSPC", writes: 0, isHeld: false };
  let held: (() => void) | null = null;
  const lost: number[] = [];
  const onLosing = vi.fn();
  const write: SinkPorts["write"] = (_fd, bytes, done) => {
    file.writes += 1;
    const run = (): void => {
      held = null;
      const written = Math.min(file.room, bytes.length);
      if (written === 0) {
        done(Object.assign(new Error("no"), { code: file.code }), 0);
        return;
      }
      file.text += Buffer.from(bytes.subarray(0, written)).toString();
      file.room -= written;
      done(null, written);
    };
    if (file.isHeld) held = run;
    else queueMicrotask(run);
  };
  const sink = createLineSink(
    1,
    {
      onLosing,
      onLost: (lines) => {
        lost.push(lines);
        sink.write(`lost ${lines}\n`);
      },
    },
    { write, writeSync: () => 0 },
  );
  return { file, sink, lost, onLosing, letGo: () => held?.() };
};

const settle = () => vi.advanceTimersByTimeAsync(0);

test("lines are written in their order, those that come meanwhile together", async () => {
  const { file, sink } = newFile();
  for (let at = 0; at < 100; at += 1) sink.write(`${at}\n`);
  await settle();
  expect(file.text.split("\n")).toEqual([...Array.from({ length: 100 }, (_, at) => String(at)), ""]);
  expect(file.writes).toBe(2);
});

test("a line that a full disk has cut is written on where it was cut, once there is room", async () => {
  const { file, sink, lost } = newFile();
  file.room = 7;
  sink.write("first line\n");
  sink.write("second line\n");
  await settle();
  expect(file.text).toBe("first l");
  const attempts = file.writes;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(file.writes - attempts).toBeLessThanOrEqual(11);
  file.room = Number.POSITIVE_INFINITY;
  await vi.advanceTimersByTimeAsync(1000);
  expect(file.text).toBe("first line\nsecond line\n");
  expect(lost).toEqual([]);
});

test.each(["ENOSPC", "EAGAIN", "EPIPE", "EIO"])(
  "what waits is bounded on %s, and how much was lost is said",
  async (code) => {
    const { file, sink, lost } = newFile();
    Object.assign(file, { room: 0, code });
    const line = `${"x".repeat(99)}\n`;
    for (let at = 0; at < 50_000; at += 1) sink.write(line);
    await vi.advanceTimersByTimeAsync(5000);
    expect([file.text, lost]).toEqual(["", []]);
    file.room = Number.POSITIVE_INFINITY;
    await vi.advanceTimersByTimeAsync(5000);
    const lines = file.text.trimEnd().split("\n");
    const kept = lines.filter((text) => text.startsWith("x")).length;
    expect(kept * 100).toBeLessThan(1_200_000);
    expect(lost).toEqual([50_000 - kept]);
    expect(lines.at(-1)).toBe(`lost ${50_000 - kept}`);
    sink.write("and on\n");
    await settle();
    expect(file.text.endsWith("and on\n")).toBe(true);
  },
);

test("that lines are being lost is told at once and once, though their reader never comes back", async () => {
  const { file, sink, lost, onLosing } = newFile();
  Object.assign(file, { room: 0, code: "EPIPE" });
  const line = `${"x".repeat(99)}\n`;
  for (let at = 0; at < 10_000; at += 1) sink.write(line);
  await settle();
  expect(onLosing).not.toHaveBeenCalled();
  for (let at = 0; at < 10_000; at += 1) sink.write(line);
  expect(onLosing).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(3_600_000);
  for (let at = 0; at < 1000; at += 1) sink.write(line);
  expect([onLosing.mock.calls.length, lost]).toEqual([1, []]);
  file.room = Number.POSITIVE_INFINITY;
  await vi.advanceTimersByTimeAsync(1000);
  expect([onLosing.mock.calls.length, lost.length]).toEqual([1, 1]);
  // The next time counts anew.
  file.room = 0;
  for (let at = 0; at < 20_000; at += 1) sink.write(line);
  expect(onLosing).toHaveBeenCalledTimes(2);
});

test("its end waits for what is being written, and for a full pipe a second at the most", async () => {
  const { file, sink, letGo } = newFile();
  file.isHeld = true;
  sink.write("last\n");
  const done = vi.fn();
  void sink.close().then(done);
  await settle();
  expect(done).not.toHaveBeenCalled();
  letGo();
  await settle();
  expect([file.text, done.mock.calls.length]).toEqual(["last\n", 1]);

  const full = newFile();
  Object.assign(full.file, { room: 0, code: "EAGAIN" });
  full.sink.write("never\n");
  const given = vi.fn();
  void full.sink.close().then(given);
  await vi.advanceTimersByTimeAsync(999);
  expect(given).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(given).toHaveBeenCalledTimes(1);
});

test("its end waits for no full disk", async () => {
  const { file, sink } = newFile();
  file.room = 0;
  sink.write("never\n");
  await settle();
  const done = vi.fn();
  void sink.close().then(done);
  await settle();
  expect(done).toHaveBeenCalledTimes(1);
});
