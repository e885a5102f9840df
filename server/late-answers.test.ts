import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createListener } from "./app.ts";
import type { Context } from "./context.ts";
import type { LogLine } from "./core/log-events.ts";
import { createLimitedServer } from "./http/server-limits.ts";
import { type Metrics, openMetrics } from "./metrics/open-metrics.ts";
import { createLateAnswers } from "./starting.ts";
import { call } from "./testing/call.ts";
import { withKey } from "./testing/key-calls.ts";
import { scrape, valueUnder } from "./testing/read-metrics.ts";
import { startTestService, type TestService } from "./testing/test-service.ts";

type Store = Context["store"];

let service: TestService;
let metrics: Metrics;
let server: Server;
let url: string;
const log: LogLine[] = [];
const report = Promise.withResolvers<Awaited<ReturnType<Store["report"]>>>();
const chunk = Promise.withResolvers<Awaited<ReturnType<Store["findChunk"]>>>();

const broken = Promise.withResolvers<Awaited<ReturnType<Store["findChunk"]>>>();

/** The service once more, whose store is silent and whose callers are not kept waiting for seconds. */
beforeAll(async () => {
  service = await startTestService();
  metrics = await openMetrics(
    { host: "127.0.0.1", port: 0 },
    { version: "1.2.3", node_version: process.version, engine: "sqlite" },
  );
  const context: Context = {
    ...service.context,
    store: {
      ...service.context.store,
      report: () => report.promise,
      findChunk: (name) => (name === "broken.js" ? broken : chunk).promise,
    },
    log: (line) => log.push(line),
    accessShare: 0,
  };
  server = createLimitedServer(metrics.watch(createListener(context)), {
    isBehindProxy: true,
    refuse: () => ({ status: 400, headers: [], body: null }),
    answerLate: createLateAnswers({ baseUrl: () => context.baseUrl, log: context.log }),
    onRefused: metrics.refusedConnection,
  });
  // Long enough for a busy machine to hear of a request on a connection that was just made.
  server.timeout = 500;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await metrics.close();
  await service.close();
});

test("who is kept waiting by a silent store is told so, by the table of routes and by Express", async () => {
  const { key } = await withKey(service);
  const headers = { Authorization: `Bearer ${key.key}` };
  for (const path of ["/v1/reports/aggregate?groupBy=country", "/c/of-another-release.js"]) {
    const answer = await call(`${url}${path}`, { origin: null, ...(path.startsWith("/v1") && { headers }) });
    expect(answer.status, path).toBe(503);
    expect(answer.headers, path).toMatchObject({
      "content-type": "application/problem+json; charset=utf-8",
      "retry-after": "1",
      connection: "close",
    });
    expect(answer.json(), path).toMatchObject({
      code: "unavailable",
      instance: answer.headers["request-id"],
      detail: "The answer takes too long. What was asked for may be done all the same.",
    });
  }
  expect(log).toEqual([
    { event: "answer_late", method: "GET", path: "/v1/reports/aggregate" },
    { event: "answer_late", method: "GET", path: "/c/:file" },
  ]);
  const samples = await scrape(metrics.url);
  const told = (name: string, labels: Record<string, string>) =>
    valueUnder(samples, `offers_http_${name}`, labels);
  expect(told("connections_refused_total", { limit: "late" })).toBe(2);
  expect(told("refusals_total", { code: "unavailable" })).toBe(2);
  expect(told("requests_total", { route: "/v1/reports/aggregate", status: "503" })).toBe(1);
  expect(told("requests_total", { status: "none" })).toBeUndefined();
});

test("what comes after that is no failure of ours", async () => {
  report.resolve("too_many_rows");
  chunk.resolve(gzipSync("of another release"));
  expect((await call(`${url}/healthz`, { origin: null })).status).toBe(200);
  expect(log.filter(({ event }) => event !== "answer_late")).toEqual([]);
});

test("a defect that comes after that is logged all the same", async () => {
  expect((await call(`${url}/c/broken.js`, { origin: null })).status).toBe(503);
  broken.reject(new Error("a bug of the store"));
  await expect
    .poll(() => log.filter(({ event }) => event === "request_failed"))
    .toMatchObject([{ path: "/c/:file", err: { message: "a bug of the store" } }]);
});
