import type { RequestListener, Server } from "node:http";
import { fileURLToPath } from "node:url";
import closeWithGrace from "close-with-grace";
import { createAddressList } from "./address-list.ts";
import { demoLink } from "./admin/demo-link.ts";
import { fillDemo } from "./admin/fill-demo.ts";
import { createListener, createRefusing, createStartingListener } from "./app.ts";
import { type Config, checkDataDir, readConfig } from "./config.ts";
import type { Context } from "./context.ts";
import { blockedHostWarning } from "./core/blocked-host.ts";
import { oldDataWarning, oldListWarning } from "./core/data-age.ts";
import type { Log } from "./core/log-events.ts";
import { isLoopbackHost } from "./core/loopback-host.ts";
import { createOauthKeys } from "./core/oauth-keys.ts";
import { createTokenKeys } from "./core/token-keys.ts";
import type { Desk } from "./desk/desk.ts";
import { oauthRowsOf } from "./desk/oauth-rows-of.ts";
import { startDesk } from "./desk/start-desk.ts";
import { openDoors } from "./doors.ts";
import { readEmbedVersion } from "./embed-version.ts";
import { endWithParent } from "./end-with-parent.ts";
import { type GeoFiles, geoFilesOf } from "./geo/geo-files.ts";
import { isCountry, isRegion } from "./geo/iso-codes.ts";
import { type LiveGeo, openLiveGeo } from "./geo/live-geo.ts";
import { type LiveNetworks, openLiveNetworks } from "./geo/live-networks.ts";
import { type NetworkFiles, networkFilesOf } from "./geo/network-files.ts";
import { createClientOf } from "./http/client-address.ts";
import { createLoadMeter } from "./http/load-meter.ts";
import { createLimitedServer } from "./http/server-limits.ts";
import { signedInBy } from "./http/sign-in.ts";
import { createTally, type Tally } from "./http/tally.ts";
import { createLimits } from "./limits.ts";
import { createLog } from "./log/create-log.ts";
import { createLineSink } from "./log/line-sink.ts";
import type { Metrics } from "./metrics/open-metrics.ts";
import { createPageChecks } from "./page-check/check-page.ts";
import { createPasswords } from "./passwords.ts";
import { readProgramVersion } from "./program-version.ts";
import { createRandomBytes } from "./random-pool.ts";
import { stopServing } from "./shutdown.ts";
import { databaseName, databaseSecrets } from "./store/database-address.ts";
import { openCatalogue, openStore } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";
import { loadTokenSecrets, type TokenSecrets } from "./token-secrets.ts";
import { createUserAgents } from "./user-agents.ts";
import { wayIn } from "./way-in.ts";

/** Within the ten seconds that most process managers give. */
const shutdownMs = 9_500;

/** How often it is logged at the most that clicks could not be stored. */
const unstoredEveryMs = 10_000;

/** What changes over the life of the process. */
type Life = {
  isDraining: boolean;
  store: Store | null;
  desk: Desk | null;
  baseUrl: string;
  answer: RequestListener;
};

const main = async (): Promise<void> => {
  // Every file that is made from here on, by SQLite too, is for this process's user alone.
  process.umask(0o077);
  const { config, secrets } = readSettings();
  if (config.isNpmScript) endWithParent();
  const { log: write, say, close: closeLog } = openLog(config, secrets);
  const metrics = await openOwnMetrics(config, write);
  const log: Log = (line, of) => {
    metrics?.told(line);
    write(line, of);
  };
  const life: Life = {
    isDraining: false,
    store: null,
    desk: null,
    baseUrl: config.baseUrl ?? "",
    answer: (_req, res) => res.destroy(),
  };
  const answer: RequestListener = (req, res) => {
    // Each client learns from its own answer that this connection has no next one.
    if (life.isDraining) res.shouldKeepAlive = false;
    life.answer(req, res);
  };
  const randomBytes = createRandomBytes();
  const refuse = createRefusing({ baseUrl: () => life.baseUrl, randomBytes, log });
  const server = createLimitedServer(metrics?.watch(answer) ?? answer, {
    isBehindProxy: config.trustProxyHops > 0,
    refuse: metrics?.watchRefusing(refuse) ?? refuse,
    ...(metrics && { onRefused: metrics.refusedConnection }),
  });
  const unstoredClicks = createTally(unstoredEveryMs, (clicks, total) =>
    log({ event: "clicks_not_stored", clicks, total }),
  );
  stopWithGrace({ server, life, log, closeLog, unstoredClicks });

  const address = await listen(server, config);
  const baseUrl = config.baseUrl ?? address;
  const warning = blockedHostWarning(baseUrl);
  if (warning !== null) log({ event: "blocked_host", warning });
  // Alive from here on, and not ready: /healthz and /readyz say so while the database is migrated.
  life.baseUrl = baseUrl;
  life.answer = createStartingListener({ baseUrl, randomBytes });
  const prepared = await prepareStore(config, log, baseUrl);
  life.store = prepared.store;
  life.desk = startDesk({
    database: config.database,
    production: config.production,
    dataDir: config.dataDir,
    geoDatabase: config.geoDatabase,
    clock: prepared.store.clock,
    // Uncaught on purpose, as when a thread of the store dies.
    onDeath: (error) => setImmediate(() => raise(error)),
  });
  const tokenKeys = createTokenKeys(secrets);
  const geo = await openLocationData(geoFilesOf(config), log);
  const context: Context = {
    baseUrl,
    production: config.production,
    trustProxyHops: config.trustProxyHops,
    clientOf: createClientOf({ trustProxyHops: config.trustProxyHops, log }),
    embedDir: fileURLToPath(new URL("../embed/dist", import.meta.url)),
    dashboardDir: fileURLToPath(new URL("../dashboard/dist", import.meta.url)),
    store: life.store,
    desk: life.desk,
    passwords: createPasswords({ randomBytes }),
    geo: metrics?.watchGeo(geo) ?? geo,
    checkPage: createPageChecks({ production: config.production, clock: Date.now }),
    programVersion: readProgramVersion(),
    embedVersion: readEmbedVersion(),
    isCountry,
    isRegion,
    tokenKeys,
    ...createLimits(life.store.sharedWindows, { ...config, tokenKeys, log }),
    unstoredClicks,
    userAgents: createUserAgents(),
    isInternal: createAddressList(config.internalNetworks),
    networks: openNetworks(networkFilesOf(config), log),
    load: createLoadMeter(),
    clock: life.store.clock,
    randomBytes,
    isDraining: () => life.isDraining,
    oauth: {
      rows: oauthRowsOf(life.desk),
      keys: createOauthKeys(secrets),
      signedIn: (call) => signedInBy(context, call),
    },
    log,
    accessShare: config.accessShare,
  };
  life.answer = createListener(context);
  metrics?.observe(context);
  const place = config.database.engine === "sqlite" ? config.dataDir : databaseName(config.database);
  say(`Affiliate Offer Service is ready at ${baseUrl} (data in ${place})`);
  try {
    const way = await wayIn(life.store, life.desk, { baseUrl, demoToken: prepared.demoToken });
    if (way !== null) say(way);
  } catch (err) {
    // Visitors are served all the same; the next start makes another link.
    log({ event: "sign_in_link_not_made", err });
  }
};

/** Everything that can be wrong before anything is opened. */
const readSettings = (): { config: Config; secrets: TokenSecrets } => {
  const verdict = readConfig();
  if (!verdict.ok) throw new Error(verdict.message);
  const { config } = verdict;
  const directory = checkDataDir(config);
  if (!directory.ok) throw new Error(directory.message);
  const tokens = loadTokenSecrets(config);
  if (!tokens.ok) throw new Error(tokens.message);
  return { config, secrets: tokens.secrets };
};

/** JSON lines on stdout, and what `say` tells a person who has just started it. No reader of them holds a request up. */
const openLog = (
  { logLevel, database }: Config,
  { current, others }: TokenSecrets,
): { log: Log; say: (text: string) => void; close: () => Promise<void> } => {
  // Node makes a pipe or a socket one that nobody waits for once its stream is made; and whoever reads it may go.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  const sink = createLineSink(1, (lines) => log({ event: "log_lines_lost", lines }));
  const secrets = [current, ...others, ...databaseSecrets(database)];
  const { log, tell } = createLog({ level: logLevel, secrets, write: sink.write });
  return {
    log,
    say: (text) => sink.write(`${text}\n`),
    close: () => {
      tell();
      return sink.close();
    },
  };
};

/** Metrics at their own address; null: none are asked for, and nothing of them is loaded. */
const openOwnMetrics = async (config: Config, log: Log): Promise<Metrics | null> => {
  if (config.metricsAddress === null) return null;
  const { openMetrics } = await import("./metrics/open-metrics.ts");
  const { engine } = config.database;
  const build = { version: readProgramVersion(), node_version: process.version, engine };
  try {
    const metrics = await openMetrics(config.metricsAddress, build);
    log({ event: "metrics_open", port: metrics.port });
    return metrics;
  } catch (error) {
    throw new Error(`METRICS_ADDRESS cannot be listened at: ${(error as Error).message}`, { cause: error });
  }
};

/** The address it listens at, as an origin; one of this machine's where it listens at all of them. */
const listen = async (server: Server, config: Config): Promise<string> => {
  const { address, family, port: actual } = await openDoors(server, config);
  if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${actual}`;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${actual}`;
};

/**
 * Opens and migrates the database, and fills an empty one with the demo where that is wanted. The demo's user is signed in
 * by a link that nobody but this machine can follow.
 */
const prepareStore = async (
  config: Config,
  log: Log,
  baseUrl: string,
): Promise<{ store: Store; demoToken: string | null }> => {
  const { database, eventsKeptDays } = config;
  const store = await openStore({
    database,
    eventsKeptDays,
    clock: Date.now,
    log,
    // Uncaught on purpose: the process drains and ends with code 1.
    onFatal: (error) => setImmediate(() => raise(error)),
  });
  if (config.seedDemo === "nothing") return { store, demoToken: null };
  const catalogue = await openCatalogue({
    database,
    actor: { kind: "command_line", name: "demo data" },
    clock: Date.now,
  });
  try {
    await fillDemo(catalogue, config, Date.now());
    // It may as well have been another node that has filled it a moment ago.
    await store.reload();
    const isLocal = !config.production && isLoopbackHost(new URL(baseUrl).hostname);
    // Nor does a lock of somebody else's keep the demo from starting.
    const demoToken = isLocal ? await demoLink(catalogue, Date.now()).catch(() => null) : null;
    return { store, demoToken };
  } finally {
    await catalogue.close();
  }
};

/** Says in the log what answers, when it is old, and when data cannot be used. */
const openLocationData = (files: GeoFiles, log: Log): Promise<LiveGeo> =>
  openLiveGeo({
    files,
    onLoaded: (file, geo) => {
      log({ event: "location_data", file, sources: geo.sources() });
      const warning = oldDataWarning(geo.sources()[0], Date.now());
      if (warning !== null) log({ event: "location_data_old", warning });
    },
    onRefused: (file, reason) => {
      log({ event: "location_data_refused", file, reason });
    },
  });

/** The same of the lists of networks. */
const openNetworks = (files: NetworkFiles, log: Log): LiveNetworks =>
  openLiveNetworks({
    files,
    onLoaded: (file, kind, { date, networks }) => {
      log({ event: "networks", file, kind, date, networks: networks.length });
      const warning = oldListWarning({ kind, date }, Date.now());
      if (warning !== null) log({ event: "networks_old", warning });
    },
    onRefused: (file, reason) => {
      log({ event: "networks_refused", file, reason });
    },
  });

const raise = (error: Error): never => {
  throw error;
};

/** On a signal, or an error that nobody caught: say so, finish what was accepted, keep what was recorded. */
const stopWithGrace = ({
  server,
  life,
  log,
  closeLog,
  unstoredClicks,
}: {
  server: Server;
  life: Life;
  log: Log;
  closeLog: () => Promise<void>;
  unstoredClicks: Tally;
}): void => {
  closeWithGrace({ delay: shutdownMs, logger: undefined }, async ({ signal, err }) => {
    life.isDraining = true;
    if (err) log({ event: "uncaught_error", err });
    else log({ event: "stopping", signal });
    await stopServing(server, { isNoticed: signal === "SIGTERM" });
    // Whoever still waits for the store is answered by its end; what is open after that is cut with the process.
    await life.desk?.close();
    await life.store?.close();
    unstoredClicks.tell();
    await closeLog();
  });
};

main().catch((error: Error) => {
  process.stderr.write(`Cannot start: ${error.message}\n`);
  process.exit(1);
});
