import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { endpoints } from "@offers/contract/endpoints";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../context.ts";
import { createLimitedServer } from "../http/server-limits.ts";
import { call, chrome, newJersey } from "../testing/call.ts";
import { engineOfTests } from "../testing/engine-of-tests.ts";
import { withKey } from "../testing/key-calls.ts";
import { type Sample, scrape, valueUnder } from "../testing/read-metrics.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { allMetrics } from "./all-metrics.ts";
import { type Metrics, openMetrics } from "./open-metrics.ts";

const build = { version: "1.2.3", node_version: process.version, engine: engineOfTests };
const anyPort = { host: "127.0.0.1", port: 0 };

/** How the store answers what it is asked for a scrape. */
const database: { measure: Context["store"]["measure"] | null } = { measure: null };
let metrics: Metrics;
let service: TestService;
beforeAll(async () => {
  metrics = await openMetrics(anyPort, build);
  service = await startTestService({
    metrics,
    wrapStore: (store) => ({ ...store, measure: () => (database.measure ?? store.measure)() }),
  });
});
beforeEach(() => {
  database.measure = null;
});
afterAll(async () => {
  await metrics.close();
  await service.close();
});

const now = () => scrape(metrics.url);

/** How much each value has grown by what was done. */
const grownBy = async (work: () => Promise<unknown>) => {
  const before = await now();
  await work();
  const after = await now();
  return (name: string, labels: Record<string, string> = {}) =>
    (valueUnder(after, `offers_${name}`, labels) ?? 0) - (valueUnder(before, `offers_${name}`, labels) ?? 0);
};

describe("metrics", () => {
  it("tell what runs, that it takes visitors, and what each thread uses", async () => {
    const samples = await now();
    expect(valueUnder(samples, "offers_build_info", build)).toBe(1);
    expect(valueUnder(samples, "offers_ready")).toBe(1);
    for (const thread of ["main", "reader", "writer"]) {
      expect(valueUnder(samples, "offers_thread_cpu_seconds_total", { thread }), thread).toBeGreaterThan(0);
      expect(valueUnder(samples, "offers_thread_heap_used_bytes", { thread }), thread).toBeGreaterThan(1e6);
    }
    // Nobody has signed in yet, so it has not been started.
    expect(valueUnder(samples, "offers_thread_heap_used_bytes", { thread: "desk" })).toBeUndefined();
    await service.call("/dash/api/me", { origin: null });
    await service.context.desk.ask("readNow", null);
    expect(valueUnder(await now(), "offers_thread_heap_used_bytes", { thread: "desk" })).toBeGreaterThan(1e6);
  });

  it("count a visit from the decision to the click, each answer once", async () => {
    const grown = await grownBy(async () => {
      const { decision, offers } = await service.visit({ from: "203.0.113.20" });
      const [offer] = offers;
      const seen = { requestId: decision.requestId, offerId: offer?.id, website: "ws_a", pub: "pub_a" };
      expect((await service.post("impression", seen)).status).toBe(204);
      expect((await service.post("impression", seen)).status).toBe(204);
      expect((await service.follow(offer?.url ?? "")).status).toBe(302);
      await service.decide({ from: newJersey });
    });
    const requests = (route: string, more: Record<string, string>) =>
      grown("http_requests_total", { route, ...more });
    expect(requests("/v1/decision", { group: "embed", method: "GET", status: "200" })).toBe(2);
    expect(requests("/v1/offers", { group: "embed", status: "200" })).toBe(1);
    expect(requests("/v1/events/impression", { method: "POST", status: "204" })).toBe(2);
    expect(requests("/v1/r", { group: "open", status: "302" })).toBe(1);
    expect(grown("http_requests_total")).toBe(6);
    expect(grown("http_request_duration_seconds_count", { route: "/v1/decision" })).toBe(2);
    expect(grown("http_request_duration_seconds_bucket", { route: "/v1/decision", le: "+Inf" })).toBe(2);
    expect(grown("decisions_total", { group: "embed", reason: "country_not_allowed" })).toBe(1);
    expect(grown("decisions_total", { group: "embed", reason: "allowed" })).toBe(1);
    expect(grown("decisions_total")).toBe(2);
    expect(grown("offer_answers_total", { outcome: "offers" })).toBe(1);
    expect(grown("offer_answers_total")).toBe(1);
    expect(grown("http_refusals_total")).toBe(0);
    expect(grown("events_total", { type: "blocked", outcome: "counted" })).toBe(1);
    expect(grown("events_total", { type: "served", outcome: "counted" })).toBe(1);
    expect(grown("events_total", { type: "impression", outcome: "counted" })).toBe(1);
    expect(grown("events_total", { type: "impression", outcome: "duplicate" })).toBe(1);
    expect(grown("events_total", { type: "click", outcome: "counted" })).toBe(1);
    expect(grown("events_total")).toBe(5);
    expect(grown("journal_commit_entries_sum")).toBe(5);
    expect(grown("journal_commit_entries_count")).toBe(grown("journal_commit_duration_seconds_count"));
    expect(grown("geo_lookups_total", { source: "fixed" })).toBe(2);
    expect(grown("geo_disputed_lookups_total")).toBe(0);
  });

  it("count who has a key apart from pages, and refusals by their code", async () => {
    const key = await withKey(service);
    const grown = await grownBy(async () => {
      const decided = await key.get("/v1/decision?website=ws_a&ip=203.0.113.9");
      expect(decided.status).toBe(200);
      expect((await service.call("/v1/decision?website=ws_a")).status).toBe(400);
      expect((await service.call("/v1/decision?pub=pub_a&website=ws_b")).status).toBe(403);
      expect((await service.call("/v1/r?t=forged", { origin: null })).status).toBe(400);
      expect((await call(`${service.url}/metrics`, { origin: null })).status).toBe(404);
      expect((await call(`${service.url}/v1/decision`, { method: "DELETE" })).status).toBe(405);
    });
    expect(grown("http_requests_total", { group: "server", route: "/v1/decision", status: "200" })).toBe(1);
    expect(grown("decisions_total", { group: "server", reason: "country_not_allowed" })).toBe(1);
    expect(grown("http_requests_total", { route: "/v1/decision", method: "DELETE", status: "405" })).toBe(1);
    expect(grown("http_requests_total", { group: "none", route: "unknown", status: "404" })).toBe(1);
    expect(grown("http_refusals_total", { code: "origin_not_allowed" })).toBe(1);
    // Told to a person, on a page.
    expect(grown("http_refusals_total", { code: "invalid_token" })).toBe(1);
    expect(grown("http_refusals_total")).toBe(5);
  });

  it("count what could not be read, and a client that left before its answer began", async () => {
    const grown = await grownBy(async () => {
      const odd = connect(Number(new URL(service.url).port), "127.0.0.1");
      odd.end("NO HTTP\r\n\r\n");
      odd.resume();
      await once(odd, "close");
      const gone = connect(Number(new URL(service.url).port), "127.0.0.1");
      gone.write(
        "POST /v1/events/click HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n{",
      );
      await expect.poll(async () => valueUnder(await now(), "offers_http_requests_waiting")).toBe(0);
      gone.resetAndDestroy();
      await expect
        .poll(async () => valueUnder(await now(), "offers_http_requests_total", { status: "none" }))
        .toBe(1);
    });
    expect(grown("http_requests_total", { route: "unread", status: "400" })).toBe(1);
    expect(grown("http_requests_total", { route: "/v1/events/click", status: "none" })).toBe(1);
    expect(grown("http_refusals_total", { code: "malformed_request" })).toBe(1);
  });

  it("tell what was told to the log, by its name", async () => {
    const grown = await grownBy(async () => {
      metrics.told("journal_refused");
    });
    expect(grown("log_events_total", { event: "journal_refused", level: "error" })).toBe(1);
    expect(grown("log_events_total")).toBe(1);
  });
});

describe("a scrape", { timeout: 30_000 }, () => {
  const withoutDatabase = [
    ["refuses", () => Promise.reject(new Error("away"))],
    ["is silent", () => new Promise<never>(() => {})],
  ] as const;
  it.each(withoutDatabase)("whose database %s is answered by all the rest", async (_, measure) => {
    const own = await openMetrics(anyPort, build);
    own.observe({ ...service.context, store: { ...service.context.store, measure } });
    const timed = async () => {
      const askedAt = performance.now();
      return { samples: await scrape(own.url), tookMs: performance.now() - askedAt };
    };
    let last = await timed();
    // Where the machine stands still some of the seconds are not the service's, and it is asked again.
    for (let left = 2; left > 0 && last.tookMs >= 5000; left -= 1) last = await timed();
    const { samples, tookMs } = last;
    // Far less than Prometheus waits.
    expect(tookMs).toBeLessThan(5000);
    expect(valueUnder(samples, "offers_database_up")).toBe(0);
    expect(valueUnder(samples, "offers_database_bytes")).toBeUndefined();
    expect(valueUnder(samples, "offers_decline_sessions")).toBeUndefined();
    // A visit of the test before may be waiting still.
    expect(valueUnder(samples, "offers_journal_waiting_entries")).toBeGreaterThanOrEqual(0);
    await own.close();
  });

  it("is answered before there is a service, which is not ready then", async () => {
    const own = await openMetrics(anyPort, build);
    const samples = await scrape(own.url);
    expect(valueUnder(samples, "offers_ready")).toBe(0);
    expect(valueUnder(samples, "offers_database_up")).toBeUndefined();
    expect(valueUnder(samples, "offers_process_resident_memory_bytes")).toBeGreaterThan(1e6);
    await own.close();
  });

  it("knows what the database knows", async () => {
    const samples = await now();
    expect(valueUnder(samples, "offers_database_up")).toBe(1);
    expect(valueUnder(samples, "offers_database_bytes")).toBeGreaterThan(10_000);
    const [file, server] = [
      valueUnder(samples, "offers_database_wal_bytes"),
      valueUnder(samples, "offers_database_wal_written_bytes_total"),
    ];
    expect(engineOfTests === "sqlite" ? [server] : [file]).toEqual([undefined]);
    // A log whose pages have all been folded in is cut to nothing.
    expect(engineOfTests === "sqlite" ? file : server).toBeGreaterThanOrEqual(
      engineOfTests === "sqlite" ? 0 : 1,
    );
    expect(valueUnder(samples, "offers_decline_sessions", { state: "pending" })).toBe(0);
    expect(valueUnder(samples, "offers_dashboard_sessions")).toBe(0);
  });

  it("is at its one address, by GET and HEAD", async () => {
    const answer = await call(metrics.url);
    expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect((await call(metrics.url, { method: "HEAD" })).text).toBe("");
    expect((await call(metrics.url, { method: "POST" })).status).toBe(405);
    expect((await call(new URL("/", metrics.url).href)).status).toBe(404);
  });
});

describe("health and readiness, at the address of metrics", () => {
  const ask = (path: string, of = metrics) => call(new URL(path, of.url).href);

  it("are told while the visitors' door takes nobody any more", async () => {
    const refused: string[] = [];
    const door = createLimitedServer((_req, res) => res.end("in"), {
      isBehindProxy: true,
      refuse: () => ({ status: 400, headers: [], body: null }),
      answerLate: () => ({ status: 503, headers: [], body: null }),
      mostConnections: 2,
      onRefused: (limit) => refused.push(limit),
    }).listen(0, "127.0.0.1");
    await once(door, "listening");
    const { port } = door.address() as AddressInfo;
    const held = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
    await Promise.all(held.map((socket) => once(socket, "connect")));
    await expect(call(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    expect(refused).toEqual(["all"]);
    expect(await ask("/healthz")).toMatchObject({ status: 200, text: "ok\n" });
    expect(await ask("/readyz")).toMatchObject({ status: 200, text: "ready\n" });
    for (const socket of held) socket.destroy();
    door.close();
  });

  it("are those of a process that starts, and of one that stops", async () => {
    const own = await openMetrics(anyPort, build);
    expect((await ask("/healthz", own)).status).toBe(200);
    expect(await ask("/readyz", own)).toMatchObject({ status: 503, text: "The service is starting.\n" });
    own.observe({ ...service.context, isDraining: () => true });
    expect((await ask("/healthz", own)).status).toBe(200);
    expect(await ask("/readyz", own)).toMatchObject({ status: 503, text: "The service is shutting down.\n" });
    await own.close();
  });
});

describe("series", () => {
  const key = ({ name, labels }: Sample) => `${name} ${JSON.stringify(labels)}`;

  it("are as many whatever is asked: no id, address, path or method of a caller is a label", async () => {
    const paths = [
      ...endpoints.map(({ path }) => path.replace(/:\w+/, "x")),
      "/dash",
      "/dash/api/me",
      "/docs",
      "/embed.js",
      "/c/x.js",
    ];
    const ask = (path: string, method = "GET") =>
      call(`${service.url}${path}`, { method, origin: null, from: null, headers: { "User-Agent": chrome } });
    const all = async (tail: () => string) => {
      for (const path of paths) await ask(`${path}?website=${tail()}&requestId=${tail()}&t=${tail()}`);
      for (const method of ["PUT", "REPORT", "LOCK", "M-SEARCH"]) await ask(`/v1/decision/${tail()}`, method);
      for (const path of [
        "/",
        "/v1/",
        "/dash/",
        "/dash/api/",
        "/c/",
        "/docs/",
        "/v1/widget-decline/session/",
      ]) {
        await ask(`${path}${tail()}`);
      }
      await call(`${service.url}/v1/decision`, { origin: `https://${tail()}.example`, from: null });
      await call(`${service.url}/v1/decision`, {
        origin: null,
        headers: { Authorization: `Bearer ${tail()}` },
      });
    };
    await all(() => "a");
    const before = await now();
    for (let round = 0; round < 5; round += 1) await all(() => randomBytes(9).toString("hex"));
    const after = await now();
    expect(after.map(key)).toEqual(before.map(key));
    expect(valueUnder(after, "offers_http_requests_total")).toBeGreaterThan(
      (valueUnder(before, "offers_http_requests_total") ?? 0) + 5 * paths.length,
    );
    expect(after.length).toBeLessThan(1500);
  });

  it("stand under the labels that their metrics name, once each, and have numbers", async () => {
    const samples = await now();
    expect(new Set(samples.map(key)).size).toBe(samples.length);
    for (const { name, labels, value } of samples) {
      const metric = allMetrics.find(
        (one) => name.replace(/_(bucket|sum|count)$/, "") === one.name || name === one.name,
      );
      const own = Object.keys(labels).filter((label) => label !== "le");
      expect(own, name).toEqual(metric?.labels);
      expect(value, name).not.toBeNaN();
    }
  });
});
