import type { RequestListener, Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import { type Config, checkDataDir, readConfig } from "./config.ts";
import { blockedHostWarning } from "./core/blocked-host.ts";
import type { Log } from "./core/log-events.ts";
import type { Desk } from "./desk/desk.ts";
import { startDesk } from "./desk/start-desk.ts";
import { openDoors } from "./doors.ts";
import { endWithParent } from "./end-with-parent.ts";
import { createLimitedServer, mostOfAll } from "./http/server-limits.ts";
import { createTally, type Tally } from "./log/tally.ts";
import type { Metrics } from "./metrics/open-metrics.ts";
import { connectionsWithin, openFileLimit } from "./open-files.ts";
import { openLog } from "./open-log.ts";
import { openOwnMetrics } from "./own-metrics.ts";
import { prepareStore } from "./prepare-store.ts";
import { createRandomBytes } from "./random-pool.ts";
import { markRunning } from "./running-mark.ts";
import { stopServing } from "./shutdown.ts";
import { createLateAnswers, createRefusing, createStartingListener } from "./starting.ts";
import { databaseName } from "./store/database-address.ts";
import type { Store } from "./store/store.ts";
import { loadTokenSecrets, type TokenSecrets } from "./token-secrets.ts";
import { wayIn } from "./way-in.ts";

/** Within the ten seconds that most process managers give. */
const shutdownMs = 9_500;

/** How long is waited for those who are signed in. */
const deskMs = 1_000;

/** How often it is logged at the most that clicks could not be stored, or that connections were ended. */
const tallyEveryMs = 10_000;

/** What changes over the life of the process. */
type Life = {
  isDraining: boolean;
  store: Store | null;
  desk: Desk | null;
  baseUrl: string;
  answer: RequestListener;
};

/** The mark of this process in the data directory: where the next start finds it still, this one was cut off. */
type Mark = {
  remove: () => void;
  /** Whether it is to stay in any case: nobody reads the metrics of a process that tells of a loss as its last word. */
  isKept: boolean;
};

const main = async (mark: Mark): Promise<void> => {
  // Every file that is made from here on, by SQLite too, is for this process's user alone.
  process.umask(0o077);
  const { config, secrets } = readSettings();
  if (config.isNpmScript) endWithParent();
  let metrics: Metrics | null = null;
  const {
    log,
    say,
    close: closeLog,
  } = openLog(config, secrets, (event) => {
    if (event === "journal_entries_lost") mark.isKept = true;
    metrics?.told(event);
  });
  metrics = await openOwnMetrics(config);
  if (metrics !== null) log({ event: "metrics_open", port: metrics.port });
  const randomBytes = createRandomBytes();
  const life: Life = {
    isDraining: false,
    store: null,
    desk: null,
    baseUrl: config.baseUrl ?? "",
    // Alive as soon as a door is open, and not ready: /healthz and /readyz say so until the database is migrated.
    answer: createStartingListener({ baseUrl: () => life.baseUrl, randomBytes }),
  };
  const answer: RequestListener = (req, res) => {
    // Each client learns from its own answer that this connection has no next one.
    if (life.isDraining) res.shouldKeepAlive = false;
    life.answer(req, res);
  };
  const refuse = createRefusing({ baseUrl: () => life.baseUrl, randomBytes, log });
  const openFiles = openFileLimit();
  const connections = connectionsWithin(openFiles);
  if (connections < mostOfAll) log({ event: "few_open_files", openFiles, connections });
  const cutConnections = createTally(tallyEveryMs, (cut, total) =>
    log({ event: "connections_cut", cut, total }),
  );
  const server = createLimitedServer(metrics?.watch(answer) ?? answer, {
    isBehindProxy: config.trustProxyHops > 0,
    refuse: metrics?.watchRefusing(refuse) ?? refuse,
    answerLate: createLateAnswers({ baseUrl: () => life.baseUrl, log }),
    mostConnections: connections,
    onRefused: (limit) => {
      // One address or one caller above its limit is no news.
      if (limit === "all") cutConnections.count();
      metrics?.refusedConnection(limit);
    },
  });
  const unstoredClicks = createTally(tallyEveryMs, (clicks, total) =>
    log({ event: "clicks_not_stored", clicks, total }),
  );
  stopWithGrace({ server, life, mark, log, closeLog, tallies: [cutConnections, unstoredClicks] });

  const address = await listen(server, config);
  const baseUrl = config.baseUrl ?? address;
  const warning = blockedHostWarning(baseUrl);
  if (warning !== null) log({ event: "blocked_host", warning });
  life.baseUrl = baseUrl;
  const preparing = prepareStore(config, { log, baseUrl, onFatal: raiseUncaught }).then((opened) => {
    // At once: a stop that comes while the rest is loaded closes it.
    life.store = opened.store;
    return opened;
  });
  // Side by side: the store's threads take as long to start as what serves visitors takes to load.
  const [prepared, { assemble, geo }] = await Promise.all([
    preparing,
    loadServing(config, { log, preparing }),
  ]);
  life.desk = startDesk({
    database: config.database,
    production: config.production,
    dataDir: config.dataDir,
    geoDatabase: config.geoDatabase,
    clock: prepared.store.clock,
    log,
    onDeath: raiseUncaught,
  });
  const { context, listener } = await assemble({
    config,
    secrets,
    baseUrl,
    store: prepared.store,
    desk: life.desk,
    geo,
    metrics,
    unstoredClicks,
    randomBytes,
    isDraining: () => life.isDraining,
    log,
  });
  // Not before it is ready: a start that fails has lost nothing, and leaves a crash to be told to the next one.
  const { cut, remove } = markRunning(config.dataDir);
  mark.remove = remove;
  if (cut > 0) log({ event: "ended_uncleanly", processes: cut });
  life.answer = listener;
  metrics?.observe(context);
  const place = config.database.engine === "sqlite" ? config.dataDir : databaseName(config.database);
  say(`Affiliate Offer Service is ready at ${baseUrl} (data in ${place})`);
  try {
    const way = await wayIn(prepared.store, life.desk, { baseUrl, demoToken: prepared.demoToken });
    if (way !== null) say(way);
  } catch (err) {
    // Visitors are served all the same; the next start makes another link.
    log({ event: "sign_in_link_not_made", err });
  }
  // Whoever follows the link wakes it up again.
  await life.desk.rest();
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

/** Loads what serves visitors, and the location data: an operator's own, which may have to be merged first, once there is a database. */
const loadServing = async (config: Config, { log, preparing }: { log: Log; preparing: Promise<unknown> }) => {
  const { assemble, openPlaces } = await import("./assemble.ts");
  if (config.geoDatabase !== null) await preparing;
  return { assemble, geo: await openPlaces(config, log) };
};

/** The address it listens at, as an origin; one of this machine's where it listens at all of them. */
const listen = async (server: Server, config: Config): Promise<string> => {
  const {
    address,
    family,
    port: actual,
  } = await openDoors(server, config).catch((error: Error) => {
    throw new Error(`the address of visitors (HOST, PORT) cannot be listened at: ${error.message}`, {
      cause: error,
    });
  });
  if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${actual}`;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${actual}`;
};

/** When a thread of the store or of the desk dies: the process drains and ends with code 1. */
const raiseUncaught = (error: Error): void => {
  setImmediate(() => {
    throw error;
  });
};

/** On a signal, or an error that nobody caught: say so, finish what was accepted, keep what was recorded. */
const stopWithGrace = ({
  server,
  life,
  mark,
  log,
  closeLog,
  tallies,
}: {
  server: Server;
  life: Life;
  mark: Mark;
  log: Log;
  closeLog: () => Promise<void>;
  tallies: readonly Tally[];
}): void => {
  let hasFailed = false;
  const { close } = closeWithGrace(
    {
      delay: shutdownMs,
      logger: undefined,
      // It would end at once, without a word, for an error that comes while what was accepted is being finished; and whoever
      // listens to what the processor itself reports has the fault happen again for ever, with every door open.
      skip: ["uncaughtException", "unhandledRejection", ...faults],
      onTimeout: () => log({ event: "stop_cut_off" }),
    },
    async ({ signal }) => {
      life.isDraining = true;
      if (!hasFailed) log({ event: "stopping", signal });
      await stopServing(server, { isNoticed: signal === "SIGTERM" });
      // Whoever still waits for the store is answered by its end; what is open after that is cut with the process.
      // A database that has fallen silent keeps the desk; the store, which has patience of its own, is closed all the same.
      await Promise.race([life.desk?.close(), pause(deskMs)]);
      await life.store?.close();
      for (const tally of tallies) tally.tell();
      if (!hasFailed && !mark.isKept) mark.remove();
      await closeLog();
      if (hasFailed) process.exit(1);
    },
  );
  const fail = (err: unknown): void => {
    log({ event: "uncaught_error", err });
    hasFailed = true;
    if (!life.isDraining) close();
  };
  process.on("uncaughtException", fail).on("unhandledRejection", fail);
};

const faults = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV"] as const;

const run = async (): Promise<void> => {
  const mark: Mark = { remove: () => undefined, isKept: false };
  await main(mark).catch((error: Error) => {
    process.stderr.write(`Cannot start: ${error.message}\n`);
    process.exit(1);
  });
};

void run();
