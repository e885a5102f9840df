import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LogLine } from "../core/log-events.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { createAccessLog } from "./access-log.ts";
import type { Call } from "./call.ts";
import { createRequestIds } from "./request-ids.ts";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

const call: Call = {
  ...{ id: "a-1", method: "GET", path: "/v1/decision", query: "pub=x", headers: {} },
  ...{ every: () => [], peer: undefined, body: async () => null },
};

let service: TestService;
const told: { line: LogLine; request: string | undefined; trace: unknown }[] = [];
beforeAll(async () => {
  service = await startTestService({
    log: (line, of) => told.push({ line, request: of?.id, trace: of?.headers.traceparent }),
  });
});
afterAll(() => service.close());

test("a line has the method, the route, the status and the time, and nothing else of the call", async () => {
  told.length = 0;
  const asked = "/v1/decision?pub=pub_a&website=ws_a&dev-country=DE";
  const answers = [
    await service.call(asked, { headers: { traceparent } }),
    await service.call("/v1/r?t=forged"),
    await service.call("/dash/link/SECRET"),
    await service.call("/sk_secret?x=1"),
    await service.call("/embed.js", { method: "POST" }),
  ];
  await expect.poll(() => told.length).toBe(5);
  expect(told.map(({ line }) => line)).toEqual(
    [
      ["GET", "/v1/decision"],
      ["GET", "/v1/r"],
      ["GET", "/dash/link/:token"],
      ["GET", "…"],
      ["POST", "/embed.js"],
    ].map(([method, path], at) => ({
      event: "request",
      method,
      path,
      status: answers[at]?.status,
      milliseconds: expect.any(Number),
    })),
  );
  expect(told.map(({ request }) => request)).toEqual(answers.map(({ headers }) => headers["request-id"]));
  expect(told[0]?.trace).toBe(traceparent);
});

test("no answer names a trace, whatever the caller sent", async () => {
  const { headers, text } = await service.call("/healthz", { headers: { traceparent } });
  expect(Object.keys(headers).filter((name) => name.startsWith("trace"))).toEqual([]);
  expect(text).not.toContain("4bf92f35");
});

/** Of these calls, which have a line. */
const notedOf = (accessShare: number, ids: readonly string[]): string[] => {
  const noted: string[] = [];
  const note = createAccessLog({ accessShare, log: (_, of) => noted.push(String(of?.id)) });
  for (const id of ids) {
    const res = Object.assign(new EventEmitter(), {
      statusCode: 200,
      headersSent: true,
      writableFinished: true,
    });
    note?.({ ...call, id }, res as unknown as ServerResponse);
    res.emit("close");
  }
  return noted;
};

test("of a share, those calls have a line whose id's hash says so, on whichever node", () => {
  const nextId = createRequestIds((size) => Buffer.alloc(size, 7));
  const ids = Array.from({ length: 100_000 }, nextId);
  for (const share of [0.5, 0.01]) {
    const noted = notedOf(share, ids);
    expect(noted).toEqual(notedOf(share, ids));
    expect(Math.abs(noted.length / (share * ids.length) - 1)).toBeLessThan(0.1);
  }
  // Whoever has a line in a smaller share has one in a larger one.
  const half = new Set(notedOf(0.5, ids));
  expect(notedOf(0.01, ids).every((id) => half.has(id))).toBe(true);
});

test("of none no call is even looked at, and of all each has its line", () => {
  expect(createAccessLog({ accessShare: 0, log: () => undefined })).toBeNull();
  expect(notedOf(1, ["a-1", "a-2"])).toEqual(["a-1", "a-2"]);
});

test("a call whose client did not stay is told as cut", () => {
  const lines: LogLine[] = [];
  const note = createAccessLog({ accessShare: 1, log: (line) => lines.push(line) });
  const res = Object.assign(new EventEmitter(), {
    statusCode: 200,
    headersSent: true,
    writableFinished: false,
  });
  note?.(call, res as unknown as ServerResponse);
  res.emit("close");
  expect(lines).toMatchObject([{ event: "request", path: "/v1/decision", status: 200, cut: true }]);
});

test("a call whose client left before its answer began has no status", async () => {
  told.length = 0;
  const gone = connect(Number(new URL(service.url).port), "127.0.0.1");
  await once(gone, "connect");
  const head =
    "POST /v1/events/click HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n";
  await new Promise((resolve) => gone.write(`${head}{`, resolve));
  // What came before it has been read by then.
  await service.call("/healthz");
  gone.resetAndDestroy();
  await expect.poll(() => told.length).toBe(2);
  expect(told[1]?.line).toEqual({
    ...{ event: "request", method: "POST", path: "/v1/events/click" },
    ...{ milliseconds: expect.any(Number), cut: true },
  });
});
