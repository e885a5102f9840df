import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Context } from "../context.ts";
import type { LogEventName } from "../core/log-events.ts";
import type { Geo } from "../geo/geo.ts";
import { refusalToServe } from "../http/readiness.ts";
import { type ConnectionLimit, connectionLimits } from "../http/server-limits.ts";
import { watchDatabase } from "./database-watch.ts";
import { gatherProcess, gatherService, partMs } from "./gather-facts.ts";
import { countLogEvents } from "./log-event-counts.ts";
import type { Facts } from "./metric.ts";
import { prepareMetricsText } from "./metrics-text.ts";
import { createRequestMeter, type RequestMeter } from "./request-meter.ts";
import { countLookups } from "./watched-geo.ts";

/** Where metrics are told; `port` 0 is any free one. */
export type MetricsAddress = { host: string; port: number };

/** The metrics of one process. Whoever has none counts nothing. */
export type Metrics = {
  /** Where they are: an origin and a path. */
  url: string;
  port: number;
  watch: RequestMeter["watch"];
  watchRefusing: RequestMeter["watchRefusing"];
  refusedConnection: (limit: ConnectionLimit) => void;
  told: (event: LogEventName) => void;
  watchGeo: <Source extends Geo>(geo: Source) => Source;
  /** From now on the service's own figures are told; before, it is not ready. */
  observe: (context: Context) => void;
  close: () => Promise<void>;
};

/**
 * Listens at an address of its own, and tells there what is counted by the functions that it hands out; and whether the
 * process lives and may be sent visitors, for whoever must not be kept from asking by a crowd at the visitors' door.
 * @throws Error when nobody can listen there.
 */
export async function openMetrics({ host, port }: MetricsAddress, build: Facts["build"]): Promise<Metrics> {
  const requests = createRequestMeter();
  const events = countLogEvents();
  const lookups = countLookups();
  const refused = new Map<string, number>(connectionLimits.map((limit) => [limit, 0]));
  const database = watchDatabase(partMs, () => performance.now());
  const text = prepareMetricsText();
  let context: Context | null = null;
  const gather = async (): Promise<Facts> => {
    const [service, process] = await Promise.all([
      context === null ? null : gatherService(context, database),
      gatherProcess(),
    ]);
    return {
      build,
      process,
      requests: requests.read(),
      refusedConnections: refused,
      logEvents: events.read(),
      located: lookups.read(),
      service,
    };
  };
  let scrape: Promise<string> | null = null;
  // Whoever comes while one is under way gets its answer.
  const scraped = (): Promise<string> => {
    scrape ??= gather()
      .then(text.write)
      .finally(() => {
        scrape = null;
      });
    return scrape;
  };
  const refusal = () => (context === null ? "The service is starting." : refusalToServe(context));
  const server = createServer(limits, answerBy({ contentType: text.contentType, scraped, refusal }));
  server.maxConnections = mostConnections;
  server.listen({ host, port });
  await once(server, "listening");
  const { port: actual } = server.address() as AddressInfo;
  return {
    port: actual,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actual}${path}`,
    watch: requests.watch,
    watchRefusing: requests.watchRefusing,
    refusedConnection: (limit) => void refused.set(limit, (refused.get(limit) ?? 0) + 1),
    told: events.told,
    watchGeo: lookups.watch,
    observe: (given) => {
      context = given;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
}

const path = "/metrics";
/** Nobody but a few scrapers comes here. */
const mostConnections = 32;
const limits = { headersTimeout: 5000, requestTimeout: 5000, maxHeaderSize: 16 * 1024 };

type Told = {
  contentType: string;
  scraped: () => Promise<string>;
  /** Why new visitors should not be sent here; null: they may be. */
  refusal: () => string | null;
};

const answerBy =
  ({ contentType, scraped, refusal }: Told): RequestListener =>
  (req, res) => {
    const asked = req.url?.split("?")[0] ?? "";
    if (![path, "/healthz", "/readyz"].includes(asked)) return end(res, 404, "Metrics are at /metrics.\n");
    if (req.method !== "GET" && req.method !== "HEAD")
      return end(res, 405, "GET alone.\n", { Allow: "GET, HEAD" });
    if (asked === "/healthz") return end(res, 200, "ok\n");
    if (asked === "/readyz") {
      const refused = refusal();
      return end(res, refused === null ? 200 : 503, `${refused ?? "ready"}\n`);
    }
    scraped().then(
      (text) => end(res, 200, text, { "Content-Type": contentType }),
      (error: unknown) => end(res, 500, `${String(error)}\n`),
    );
  };

const end = (res: ServerResponse, status: number, body: string, head: Record<string, string> = {}): void => {
  res.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    ...head,
  });
  res.end(body);
};
