import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createListener } from "../app.ts";
import type { Context } from "../context.ts";
import { createBuckets } from "../core/buckets.ts";
import { describedEvent } from "../core/log-events.ts";
import { createOauthKeys } from "../core/oauth-keys.ts";
import { consentTries, createSignInLimit, unknownSessionTries } from "../core/sign-in-limit.ts";
import { createTokenKeys } from "../core/token-keys.ts";
import { createTries } from "../core/tries.ts";
import { oauthRowsOf } from "../desk/oauth-rows-of.ts";
import { startDesk } from "../desk/start-desk.ts";
import { createFixedGeo } from "../geo/fixed-geo.ts";
import { isCountry, isRegion } from "../geo/iso-codes.ts";
import { createClientOf } from "../http/client-address.ts";
import { createRateLimits } from "../http/rate-limits.ts";
import { createLimitedServer } from "../http/server-limits.ts";
import { signedInBy } from "../http/sign-in.ts";
import { createLog } from "../log/create-log.ts";
import { createTally } from "../log/tally.ts";
import type { Metrics } from "../metrics/open-metrics.ts";
import { createPageChecks } from "../page-check/check-page.ts";
import { createPasswords } from "../passwords.ts";
import { createLateAnswers, createRefusing } from "../starting.ts";
import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import type { DatabaseAddress } from "../store/database-address.ts";
import { openStore } from "../store/open-store.ts";
import type { Schema } from "../store/schema.ts";
import { createUserAgents } from "../user-agents.ts";
import { type CheckedCalls, createCheckedCalls } from "./checked-calls.ts";
import { copyDatabase } from "./copy-database.ts";
import { newDatabase, openBeside } from "./engine-of-tests.ts";
import { fillFixture } from "./fixture.ts";
import { forbiddenIn } from "./log-search.ts";
import { type Observed, observeDatabase } from "./observe-database.ts";
import { createVisitorJourneys, type VisitorJourneys } from "./visitor-journeys.ts";

/** A running service of its own: real app, real threads, fresh database, fixed places, a clock that a test moves. */
export type TestService = VisitorJourneys & {
  url: string;
  /** Where it stores, and in which directory its other data would stand. */
  address: DatabaseAddress;
  dataDir: string;
  context: Context;
  call: CheckedCalls["call"];
  /** What is stored, as another process sees it. */
  stored: Observed["stored"];
  dump: Observed["dump"];
  /** Deletes all rows of these tables. */
  empty: (tables: readonly (keyof Schema)[]) => Promise<void>;
  purge: Observed["purge"];
  /** The catalogue as another process has it: of what it changes nobody tells the service. */
  catalogue: CatalogueHandle;
  /** Changes the catalogue as the operator's command line would, and has the change noticed at once. */
  change: (work: (catalogue: CatalogueHandle) => Promise<unknown>) => Promise<void>;
  moveClock: (milliseconds: number) => void;
  /** Error lines of the log so far: a test that provokes none may expect none. */
  errors: object[];
  /** Its warnings. */
  warnings: object[];
  close: () => Promise<void>;
};

export const baseUrl = "https://offers.test";

const testSecrets = { current: "a secret that only the tests have" };

/** Noon, so that an hour to and fro stays on the day. */
const startAt = Date.UTC(2026, 10, 20, 12);

/** Longer than a commit takes on a machine that stood still meanwhile. */
const patienceMs = 10_000;

/** However many tests run beside this one, nothing is turned away for it. */
const calm: Context["load"] = {
  arrived: () => undefined,
  underWay: () => undefined,
  pressure: () => ({ callsPerSecond: 0, busyShare: 0, inTurn: 0, underWay: 0 }),
  draw: () => 0,
  delays: createBuckets([]).read,
  stop: () => undefined,
};

export async function startTestService(
  settings: Partial<
    Pick<
      Context,
      | "geo"
      | "trustProxyHops"
      | "embedDir"
      | "dashboardDir"
      | "rateLimits"
      | "accessShare"
      | "askedConsents"
      | "isInternal"
      | "networks"
      | "isDraining"
      | "randomBytes"
      | "log"
    >
  > & {
    /** What it says of the load, where that is not that there is none. */
    load?: Partial<Context["load"]>;
    /** Who is asked for a partner, where that is not whose session the browser has. */
    signedIn?: Context["oauth"]["signedIn"];
    wrapStore?: (store: Context["store"]) => Context["store"];
    /**
     * A decision waits for its commit as briefly as the program has it wait. Left out: until it is there, so that a test may
     * look at what is stored right after the answer, however slow the machine.
     */
    waitsBriefly?: boolean;
    /** Begins with what another service has stored, its salts and keys included. */
    copyOf?: TestService;
    /** What counts as the program's own metrics do, where they are asked for. */
    metrics?: Metrics;
    /** Is one more node of that service: on its database, with a clock of its own. */
    beside?: TestService;
    /** The paths that are served without Express; left out: those of the program. */
    busyPaths?: readonly string[];
  } = {},
): Promise<TestService> {
  const {
    wrapStore = (same: Context["store"]) => same,
    waitsBriefly = false,
    signedIn,
    copyOf,
    beside,
    busyPaths,
    load,
    metrics,
    ...overrides
  } = settings;
  const directory = mkdtempSync(join(tmpdir(), "offers-test-"));
  const { address, remove } = beside
    ? { address: beside.address, remove: async () => undefined }
    : await newDatabase(directory);
  if (copyOf !== undefined) await copyDatabase(copyOf.address, address);
  const time = { now: startAt };
  const clock = () => time.now;
  const moveClock = (milliseconds: number): void => {
    time.now += milliseconds;
  };
  const errors: object[] = [];
  const warnings: object[] = [];
  const observed = await observeDatabase(address);
  const store = await openStore({ database: address, clock, log: ({ event }) => metrics?.told(event) });
  const { journal } = store;
  const keep: typeof journal.keep = (entry, waitMs) =>
    journal.keep(entry, waitsBriefly ? waitMs : patienceMs);
  const desk = startDesk({
    database: address,
    production: true,
    dataDir: directory,
    geoDatabase: null,
    clock,
    log: (line) => given.log(line),
    onDeath: (error) => errors.push(error),
  });
  const catalogue = openBeside(address, { actor: { kind: "command_line", name: "tests" }, clock });
  const change: TestService["change"] = async (work) => {
    await work(catalogue);
    await store.reload();
  };
  if (copyOf === undefined && beside === undefined) await change(() => fillFixture(catalogue, time.now));
  const lines: string[] = [];
  // As the program writes it, and everything that it would write at any setting: what stands there is looked through.
  const written = createLog({ level: "trace", secrets: [], write: (line) => lines.push(line) });
  const given: Omit<Context, "clientOf"> = {
    baseUrl,
    production: true,
    trustProxyHops: 1,
    embedDir: directory,
    dashboardDir: directory,
    // The server of the tests forgets what it acknowledged when the machine stops, and the service says so rightly.
    store: wrapStore({ ...store, journal: { ...journal, keep }, warnings: () => [] }),
    desk,
    passwords: createPasswords({ randomBytes }),
    signInLimit: createSignInLimit(),
    unknownSessions: createTries(unknownSessionTries),
    askedConsents: createTries({ ...consentTries, most: 100_000 }),
    geo: createFixedGeo(),
    checkPage: createPageChecks({ production: false, clock }),
    programVersion: "0.1.0",
    embedVersion: "0.1.0",
    isCountry,
    isRegion,
    tokenKeys: createTokenKeys(testSecrets),
    rateLimits: createRateLimits(1000),
    userAgents: createUserAgents(),
    isInternal: () => false,
    networks: { kindOf: () => null, lists: () => [] },
    unstoredClicks: createTally(0, (clicks) => errors.push({ event: "clicks_not_stored", clicks })),
    load: { ...calm, ...load },
    clock,
    randomBytes,
    isDraining: () => false,
    oauth: {
      rows: oauthRowsOf(desk),
      keys: createOauthKeys(testSecrets),
      signedIn: signedIn ?? ((call) => signedInBy(context, call)),
    },
    log: (line, of) => {
      const { level } = describedEvent(line.event);
      const told = { ...line, ...(of !== undefined && { request: of.id }) };
      if (level === "error" || level === "fatal") errors.push(told);
      if (level === "warn") warnings.push(told);
      written.log(line, of);
    },
    accessShare: 1,
    ...overrides,
  };
  const geo = metrics?.watchGeo(given.geo) ?? given.geo;
  const context: Context = { ...given, geo, clientOf: createClientOf(given) };
  const listener = createListener(context, busyPaths);
  const refuse = createRefusing({ ...context, baseUrl: () => context.baseUrl });
  const server = createLimitedServer(metrics?.watch(listener) ?? listener, {
    isBehindProxy: true,
    refuse: metrics?.watchRefusing(refuse) ?? refuse,
    answerLate: createLateAnswers({ ...context, baseUrl: () => context.baseUrl }),
    ...(metrics && { onRefused: metrics.refusedConnection }),
  });
  metrics?.observe(context);
  // A test may leave its connection idle for longer than anybody is waited for, and would write into one that is closing.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const calls = createCheckedCalls({ url, baseUrl });
  return {
    url,
    address,
    dataDir: directory,
    context,
    call: calls.call,
    ...createVisitorJourneys({ call: calls.call, baseUrl, moveClock }),
    stored: observed.stored,
    dump: observed.dump,
    empty: (tables) =>
      catalogue.transact(async (db) => {
        for (const table of tables) await db.deleteFrom(table).execute();
      }),
    purge: observed.purge,
    catalogue,
    change,
    moveClock,
    errors,
    warnings,
    close: async () => {
      calls.close();
      server.close();
      server.closeAllConnections();
      await catalogue.close();
      await desk.close();
      await store.close();
      await observed.close();
      await remove();
      rmSync(directory, { recursive: true });
      const found = forbiddenIn(lines.join(""), calls.used);
      if (found.length > 0) throw new Error(`the log holds what it must not:\n${found.join("\n")}`);
    },
  };
}
