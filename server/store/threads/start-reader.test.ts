import { expect, test } from "vitest";
import type { LogLine } from "../../core/log-events.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { startReaderThread } from "./start-reader.ts";

/** A thread that answers each poll as it was told to: null, or with a code by which the storage refuses. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort, workerData } from "node:worker_threads";
  let polls = 0;
  parentPort.on("message", ({ id, kind }) => {
    if (kind === "close") {
      parentPort.postMessage({ id, answer: null });
      parentPort.close();
      return;
    }
    const code = workerData[polls++];
    const trouble = { code, retryAfterSeconds: 1 };
    parentPort.postMessage(code === null ? { id, answer: {} } : { id, trouble });
  });
`)}`,
);

test("chunks are looked for one by one, a hundred wait, and nothing else waits for them", async () => {
  // Answers sessions by how many chunks it was asked for, and of chunks the first one late.
  const silent = new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    const chunks = [];
    parentPort.on("message", ({ id, kind, asked }) => {
      if (kind === "findChunk") return chunks.push(id);
      parentPort.postMessage({ id, answer: chunks.length });
      if (asked === "answer the first") parentPort.postMessage({ id: chunks[0], answer: null });
      if (kind === "close") parentPort.close();
    });
  `)}`,
  );
  const reader = startReaderThread(silent, {
    workerData: null,
    log: () => undefined,
    onDeath: (error) => {
      throw error;
    },
  });
  const waiting = Array.from({ length: 100 }, (_, n) => reader.findChunk(`${n}.js`).catch(() => "refused"));
  await expect(reader.findChunk("one-more.js")).rejects.toBeInstanceOf(StorageUnavailable);
  expect(await reader.findSession("session")).toBe(1);
  expect(await reader.findSession("answer the first")).toBe(1);
  expect(await waiting[0]).toBeNull();
  expect(await reader.findSession("session")).toBe(2);
  await reader.close();
  // The thread has ended, and all of them are told.
  expect(new Set(await Promise.all(waiting.slice(1)))).toEqual(new Set(["refused"]));
});

test("a chunk that cannot be read refuses those that wait behind it, and none that comes later", async () => {
  // Refuses the first one, and answers each other by how many chunks it was asked for.
  const away = new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    const chunks = [];
    parentPort.on("message", ({ id, kind }) => {
      const isFirst = kind === "findChunk" && chunks.push(id) === 1;
      const trouble = { code: "08001", retryAfterSeconds: 1 };
      parentPort.postMessage(isFirst ? { id, trouble } : { id, answer: chunks.length });
      if (kind === "close") parentPort.close();
    });
  `)}`,
  );
  const log: LogLine[] = [];
  const reader = startReaderThread(away, {
    workerData: null,
    log: (line) => log.push(line),
    onDeath: (error) => {
      throw error;
    },
  });
  const waiting = Array.from({ length: 3 }, (_, n) => reader.findChunk(`${n}.js`));
  for (const one of await Promise.allSettled(waiting)) {
    expect(one).toMatchObject({ reason: { message: "a chunk could not be read (08001)" } });
  }
  expect(await reader.findChunk("later.js")).toBe(2);
  await reader.close();
  expect(log.map(({ event }) => event)).toEqual(Array.from({ length: 3 }, () => "read_failed"));
});

test("an outage is told once, again when it is another one, and when it is over", async () => {
  const codes = [null, "08006", "08006", "08006", "57P03", "57P03", null, null, "08006", null];
  const log: LogLine[] = [];
  const reader = startReaderThread(script, {
    workerData: codes,
    log: (line) => log.push(line),
    onDeath: (error) => {
      throw error;
    },
  });
  const read: boolean[] = [];
  for (const [at] of codes.entries()) read.push((await reader.poll(at)) !== null);
  await reader.close();
  expect(read).toEqual(codes.map((code) => code === null));
  expect(log).toEqual([
    { event: "catalogue_poll_failed", code: "08006" },
    { event: "catalogue_poll_failed", code: "57P03" },
    { event: "catalogue_poll_recovered", seconds: 0 },
    { event: "catalogue_poll_failed", code: "08006" },
    { event: "catalogue_poll_recovered", seconds: 0 },
  ]);
});
