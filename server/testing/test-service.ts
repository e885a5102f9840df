import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DecisionAnswer } from "@offers/contract/decision";
import type { OffersAnswer, ServedOffer } from "@offers/contract/offers";
import { createListener, createRefusing } from "../app.ts";
import type { Context } from "../context.ts";
import { createBuckets } from "../core/buckets.ts";
import { describedEvent } from "../core/log-events.ts";
import { createOauthKeys } from "../core/oauth-keys.ts";
import { createSignInLimit } from "../core/sign-in-limit.ts";
import { createTokenKeys } from "../core/token-keys.ts";
import { oauthRowsOf } from "../desk/oauth-rows-of.ts";
import { startDesk } from "../desk/start-desk.ts";
import { createFixedGeo } from "../geo/fixed-geo.ts";
import { isCountry, isRegion } from "../geo/iso-codes.ts";
import { createClientOf } from "../http/client-address.ts";
import { createRateLimits } from "../http/rate-limits.ts";
import { createLimitedServer } from "../http/server-limits.ts";
import { signedInBy } from "../http/sign-in.ts";
import { createTally } from "../http/tally.ts";
import { createLog } from "../log/create-log.ts";
import type { Metrics } from "../metrics/open-metrics.ts";
import { createPageChecks } from "../page-check/check-page.ts";
import { createPasswords } from "../passwords.ts";
import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import type { DatabaseAddress } from "../store/database-address.ts";
import { openStore } from "../store/open-store.ts";
import type { Schema } from "../store/schema.ts";
import { createUserAgents } from "../user-agents.ts";
import { type Answer, type Call, call } from "./call.ts";
import { createConformance } from "./conformance.ts";
import { copyDatabase } from "./copy-database.ts";
import { newDatabase, openBeside } from "./engine-of-tests.ts";
import { fillFixture } from "./fixture.ts";
import { forbiddenIn } from "./log-search.ts";
import { createCallNotes } from "./noted-calls.ts";
import { type Observed, observeDatabase } from "./observe-database.ts";

/** A running service of its own: real app, real threads, fresh database, fixed places, a clock that a test moves. */
export type TestService = {
  url: string;
  /** Where it stores, and in which directory its other data would stand. */
  address: DatabaseAddress;
  dataDir: string;
  context: Context;
  call: (path: string, given?: Call) => Promise<Answer>;
  /** Asks for a decision and expects one. */
  decide: (given?: Call & { website?: string; query?: string }) => Promise<DecisionAnswer>;
  /** A blocked visitor's decision and its offers, and the second in which they are read. */
  visit: (given?: Call & { website?: string; query?: string }) => Promise<Visit>;
  post: (
    event: "drawn" | "impression" | "click" | "dismiss" | "snippet-ping",
    body: unknown,
    given?: Call,
  ) => Promise<Answer>;
  /** Follows an offer's link, which stands under BASE_URL, to this service. */
  follow: (url: string, given?: Call) => Promise<Answer>;
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

export type Visit = { decision: DecisionAnswer; answer: OffersAnswer; offers: ServedOffer[] };

/** Milliseconds in which a visitor has read the offers: who clicks sooner is not believed. */
export const readingMs = 1000;

export const baseUrl = "https://offers.test";

const testSecrets = { current: "a secret that only the tests have" };

/** Noon, so that an hour to and fro stays on the day. */
const startAt = Date.UTC(2026, 10, 20, 12);

/** However many tests run beside this one, nothing is turned away for it. */
const calm: Context["load"] = {
  arrived: () => undefined,
  underWay: () => undefined,
  pressure: () => ({ callsPerSecond: 0, lateMs: 0, underWay: 0 }),
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
      | "rateLimits"
      | "accessShare"
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
  const desk = startDesk({
    database: address,
    production: true,
    dataDir: directory,
    geoDatabase: null,
    clock,
    onDeath: (error) => errors.push(error),
  });
  const catalogue = openBeside(address, { actor: { kind: "command_line", name: "tests" }, clock });
  const change: TestService["change"] = async (work) => {
    await work(catalogue);
    await store.reload();
  };
  if (copyOf === undefined && beside === undefined) await change(() => fillFixture(catalogue, time.now));
  const lines: string[] = [];
  /** What callers and answers held, and no line may. */
  const used = new Set<string>();
  // As the program writes it, and everything that it would write at any setting: what stands there is looked through.
  const written = createLog({ level: "trace", secrets: [], write: (line) => lines.push(line) });
  const given: Omit<Context, "clientOf"> = {
    baseUrl,
    production: true,
    trustProxyHops: 1,
    embedDir: directory,
    dashboardDir: directory,
    // The server of the tests forgets what it acknowledged when the machine stops, and the service says so rightly.
    store: wrapStore({ ...store, warnings: () => [] }),
    desk,
    passwords: createPasswords({ randomBytes }),
    signInLimit: createSignInLimit(),
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
    ...(metrics && { onRefused: metrics.refusedConnection }),
  });
  metrics?.observe(context);
  // A test may leave its connection idle for longer than anybody is waited for, and would write into one that is closing.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: true });
  const conformance = createConformance(baseUrl);
  const notes = createCallNotes();
  const callService: TestService["call"] = async (path, given) => {
    const answer = await call(`${url}${path}`, given, agent);
    for (const name of ["Authorization", "Cookie", "User-Agent"])
      used.add(String(given?.headers?.[name] ?? ""));
    for (const cookie of answer.headers["set-cookie"] ?? []) used.add(cookie.split(";")[0] ?? "");
    const hasKey = /^Bearer sk_/.test(String(given?.headers?.Authorization));
    const method = given?.method ?? "GET";
    notes.note(
      { method, target: path, hasCredential: Boolean(given?.headers?.Authorization) },
      answer.status,
    );
    const problem = conformance.problemOf(method, path, answer, hasKey);
    if (problem !== null)
      throw new Error(`an answer that the OpenAPI document does not describe: ${problem}`);
    return answer;
  };
  return {
    url,
    address,
    dataDir: directory,
    context,
    call: callService,
    ...journeysOf(callService, moveClock),
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
      notes.keep();
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await catalogue.close();
      await desk.close();
      await store.close();
      await observed.close();
      await remove();
      rmSync(directory, { recursive: true });
      const found = forbiddenIn(lines.join(""), used);
      if (found.length > 0) throw new Error(`the log holds what it must not:\n${found.join("\n")}`);
    },
  };
}

const publisherOf: Record<string, string> = { ws_b: "pub_b", ws_empty: "pub_b" };
const originOf: Record<string, string> = {
  ws_b: "https://shop-b.example",
  ws_dev: "https://dev.shop-a.example",
  ws_wild: "https://x.wild-a.example",
  ws_empty: "https://empty.example",
};

const journeysOf = (callService: TestService["call"], moveClock: TestService["moveClock"]) => {
  const withOrigin = (website: string, given: Call): Call => ({
    ...(originOf[website] !== undefined && { origin: originOf[website] }),
    ...given,
  });
  const decide: TestService["decide"] = async ({ website = "ws_a", query = "", ...given } = {}) => {
    const pub = publisherOf[website] ?? "pub_a";
    const answer = await callService(
      `/v1/decision?pub=${pub}&website=${website}${query}`,
      withOrigin(website, given),
    );
    if (answer.status !== 200) throw new Error(`no decision: ${answer.status} ${answer.text}`);
    return answer.json<DecisionAnswer>();
  };
  const visit: TestService["visit"] = async (given = {}) => {
    const decision = await decide(given);
    const { website = "ws_a", query: _, ...rest } = given;
    const path = `/v1/offers?website=${website}&requestId=${decision.requestId}&country=${decision.country}`;
    const answered = await callService(path, withOrigin(website, rest));
    if (answered.status !== 200) throw new Error(`no offers: ${answered.status} ${answered.text}`);
    const answer = answered.json<OffersAnswer>();
    moveClock(readingMs);
    return { decision, answer, offers: [...answer.premium, ...answer.standard] };
  };
  const post: TestService["post"] = (event, body, given = {}) =>
    callService(`/v1/events/${event}`, { method: "POST", body, ...given });
  const follow: TestService["follow"] = (link, given = {}) =>
    callService(link.replace(baseUrl, ""), { origin: null, ...given });
  return { decide, visit, post, follow };
};
