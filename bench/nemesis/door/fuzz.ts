import { setTimeout as pause } from "node:timers/promises";
import type { DashOperation } from "@offers/contract/dash/endpoints";
import { createOddCalls, type Kind, type Known } from "../../../server/testing/odd-calls.ts";
import { atLeast, atMost, type Check, equal } from "../../checks.ts";
import { type HttpClient, openHttpClient } from "../../http-client.ts";
import { type Visitor, visitorAt, visitPage } from "../../visitor.ts";
import {
  type ApiDocument,
  createDice,
  type Dice,
  type Parts,
  type Pools,
  validCall,
} from "./document-calls.ts";
import { type Door, type DoorOptions, isAlive, openDoor } from "./door.ts";
import { exchange, type Heard } from "./exchange.ts";
import { isShed, isSpeculation, wrongProblem } from "./judge.ts";
import { bytesOf, mutate, mutateBytes } from "./mutate.ts";
import { ownPage } from "./people.ts";
import { openSession, openShop, type Shop } from "./shops.ts";
import { callOf, dashOperations, makeTeam, type Team } from "./team.ts";
import { findTraces } from "./traces.ts";

export type FuzzOptions = DoorOptions & {
  /** Requests. A tenth of them come before anything is measured. */
  requests: number;
};

/** One request that is about to be sent. */
type Sent = { bytes: Buffer; isHead: boolean; documented: readonly string[] | null };

/** What was wrong, the first few of each kind, and how often. */
type Seen = {
  requests: number;
  answers: number;
  shed: number;
  failed: string[];
  wrong: string[];
  undocumented: string[];
  injected: string[];
  hung: string[];
};

/** Sends what no honest caller sends, to every route, and bytes that are no request at all. */
export async function fuzz({ engine, random, requests }: FuzzOptions): Promise<Check[]> {
  const door = await openDoor({ engine }, { LOG_LEVEL: "debug" });
  const { service } = door;
  const client = openHttpClient(service.url, 8, { keepAlive: false });
  try {
    const a = await openShop(service, "a", { moreWebsites: ["https://*.wild-a.example"] });
    const b = await openShop(service, "b");
    const team = await makeTeam(service, client, b);
    const known: Known = {
      requestIds: [],
      tokens: [],
      offerIds: a.offers.map(({ offerId }) => offerId),
      sessionIds: [],
    };
    await learn(client, a, known);
    const dice = createDice(random);
    const next = prepareCalls({
      dice,
      random,
      known,
      shops: [a, b],
      team,
      url: service.url,
      document: await readDocument(client),
    });
    const { pid } = service;
    const seen: Seen = {
      requests: 0,
      answers: 0,
      shed: 0,
      failed: [],
      wrong: [],
      undocumented: [],
      injected: [],
      hung: [],
    };
    const warmUp = Math.max(500, Math.round(requests / 10));
    await send(door, warmUp, next, seen, known);
    if (!isAlive(pid)) return [equal("processes that ended", `1: ${lastWords(door)}`, 0)];
    const before = await door.lookInside();
    await send(door, requests - warmUp, next, seen, known);
    if (!isAlive(pid)) return [equal("processes that ended", `1: ${lastWords(door)}`, 0)];
    const after = await door.lookInside();
    const health = await client.get("/healthz");
    // What a stranger writes as a path may be anything.
    const traces = await findTraces(
      { ...door, wholeLog: () => withoutPaths(door) },
      {
        "an address": /\b(?:198\.1[89]|203\.0\.113|198\.51\.100|192\.0\.2)\.\d+(?:\.\d+)?\b|2001:db8/,
        "a user agent": /Mozilla\/|AppleWebKit/,
        "a key": a.key.authorization.slice("Bearer ".length),
        "a secret": a.secret,
        "a session": team.owner.cookie.slice(team.owner.cookie.indexOf("=") + 1),
        "a click token": known.tokens[0] ?? "none was learnt",
      },
    );
    return [
      atLeast("requests", seen.requests, requests),
      atLeast("answers", seen.answers, requests / 2),
      equal("answers of 500 and above", list(seen.failed), ""),
      atMost("calls that were shed, and sent again", seen.shed, 0),
      equal("connections that were neither answered nor ended", list(seen.hung), ""),
      equal("problems that are no problem document", list(seen.wrong), ""),
      equal("answers that the document does not know", list(seen.undocumented), ""),
      equal("headers that a caller put into an answer", list(seen.injected), ""),
      equal("processes that ended", isAlive(pid) && service.pid === pid && health.status === 200 ? 0 : 1, 0),
      equal("errors in the log", list(errorsIn(door)), ""),
      atMost("growth of what is held, in MB", round(after.heldMb - before.heldMb), 64),
      atMost("growth of resident memory, in MB", round(after.rssMb - before.rssMb), 64),
      atMost("p99 of the event loop's delay, in ms", round(after.lateMs), 100),
      equal("traces of callers in files, tables and log", list(traces), ""),
    ];
  } finally {
    client.close();
    await door.stop();
  }
}

/** What a process that has ended said of it. */
const lastWords = (door: Door): string =>
  errorsIn(door).findLast((line) => line.includes('"level":60')) ?? door.wholeLog().slice(-1500);

const withoutPaths = (door: Door): string => door.wholeLog().replaceAll(/"path":"(?:[^"\\]|\\.)*"/g, "");

const errorsIn = (door: Door): string[] =>
  door
    .wholeLog()
    .split("\n")
    .filter((line) => /"level":[56]0/.test(line));

const round = (figure: number): number => Math.round(figure * 10) / 10;
const list = (seen: readonly string[]): string =>
  seen.length === 0 ? "" : `${seen.length}: ${seen.slice(0, 5).join(" | ")}`.slice(0, 1500);

const atOnce = 24;

const send = async (
  { service }: Door,
  requests: number,
  next: () => Sent,
  seen: Seen,
  known: Known,
): Promise<void> => {
  const port = Number(new URL(service.url).port);
  let left = requests;
  const turn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const sent = next();
      seen.requests += 1;
      for (let tries = 0; tries < 20; tries += 1) {
        const { answers, rest, error } = await exchange(port, sent.bytes, sent.isHead);
        note(sent, answers, rest, error, seen);
        for (const answer of answers) harvest(answer, known);
        if (!answers.some(isShed)) break;
        seen.shed += 1;
        await pause(500);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, turn));
};

const note = (
  sent: Sent,
  answers: readonly Heard[],
  rest: string,
  error: string | null,
  seen: Seen,
): void => {
  const asked = sent.bytes.toString("latin1", 0, 4000);
  const [first = ""] = asked.split("\r\n");
  const say = (what: string): string => `${what} to ${JSON.stringify(first.slice(0, 160))}`;
  seen.answers += answers.length;
  if (error !== null) seen.hung.push(say(error));
  // What follows a HEAD that was no request is answered with a body.
  if (rest !== "" && !sent.isHead) seen.wrong.push(say(`${JSON.stringify(rest.slice(0, 80))} is no answer`));
  for (const answer of answers) {
    const { status, headers } = answer;
    if (status >= 500 && !isShed(answer) && !isSpeculation(answer, asked))
      seen.failed.push(say(String(status)));
    const wrong = wrongProblem(answer, asked);
    if (wrong !== null) seen.wrong.push(say(`${status} ${wrong}`));
    if (!headers.has("request-id") && status !== 100) seen.wrong.push(say(`${status} without a Request-Id`));
    if (headers.has("x-injected") || headers.has("x-powered-by") || headers.has("server"))
      seen.injected.push(say(""));
    if (sent.documented !== null && !sent.documented.includes(String(status)) && status !== 431) {
      seen.undocumented.push(say(String(status)));
    }
  }
};

/** What answers give, later calls name. */
const harvest = ({ status, body }: Heard, known: Known): void => {
  if (status !== 200 && status !== 201) return;
  const keep = (all: string[], found: string | undefined): void => {
    if (found === undefined || all.includes(found)) return;
    all.push(found);
    if (all.length > 200) all.shift();
  };
  keep(known.requestIds, /"requestId":"(req_[^"]+)"/.exec(body)?.[1]);
  keep(known.tokens, /\/v1\/r\?t=([\w-]+)/.exec(body)?.[1]);
  keep(known.sessionIds, /"sessionId":"(dcl_[^"]+)"/.exec(body)?.[1]);
};

/** An honest visit, so that something good is known at any time. */
const learn = async (client: HttpClient, shop: Shop, known: Known): Promise<void> => {
  const visitor: Visitor = visitorAt(1000 + known.requestIds.length, shop.website);
  const { decision, offers } = await visitPage(client, shop.website, visitor);
  known.requestIds.push(decision.requestId);
  known.tokens.push(...offers.map(({ url }) => new URL(url).searchParams.get("t") ?? ""));
  known.sessionIds.push(await openSession(client, shop.website, visitor.headers));
};

const readDocument = async (client: HttpClient): Promise<ApiDocument> =>
  JSON.parse((await client.get("/v1/openapi.json")).body) as ApiDocument;

type World = {
  dice: Dice;
  random: () => number;
  known: Known;
  shops: readonly [Shop, Shop];
  team: Team;
  url: string;
  document: ApiDocument;
};

/** Everything that is asked, in its share. */
const prepareCalls = (world: World): (() => Sent) => {
  const { dice } = world;
  const odd = prepareOddCalls(world);
  const whole = (): Sent => {
    const share = dice.below(100);
    if (share < 50) return documentCall(world);
    if (share < 80) return odd();
    return partsSent(share < 94 ? dashCall(world) : otherCall(world), dice);
  };
  return () => {
    const sent = whole();
    if (!dice.chance(0.15)) return sent;
    const bytes = mutateBytes(sent.bytes, dice);
    return { bytes, isHead: /^\s*HEAD\b/.test(bytes.toString("latin1", 0, 3000)), documented: null };
  };
};

const documentCall = ({ dice, document, known, shops }: World): Sent => {
  const [shop] = shops;
  const path = dice.oneOf(Object.keys(document.paths));
  const method = dice.oneOf(Object.keys(document.paths[path] ?? {})).toUpperCase();
  const operation = document.paths[path]?.[method.toLowerCase()];
  const websites = shops.map(({ website }) => website.websiteKey);
  const pools: Pools = {
    website: [shop.website.websiteKey, ...websites],
    websiteKey: [shop.website.websiteKey, ...websites],
    pub: [shop.website.publicKey],
    requestId: known.requestIds,
    offerId: known.offerIds,
    offer: known.offerIds,
    sessionId: known.sessionIds,
    t: known.tokens,
    secret: [shop.secret],
    "X-Integration-Secret": [shop.secret],
    Origin: [shop.website.origin, shop.website.origin, "https://x.wild-a.example"],
    from: [dayOf(-3)],
    to: [dayOf(0)],
    ts: [new Date().toISOString()],
    ip: ["203.0.113.7", "198.18.1.1", "2001:db8::1"],
    eventId: ["evt_AAAAAAAAAAAAAAAAAAAAAAAA"],
  };
  const parts = validCall(document, { method, path }, { dice, pools });
  const isKeyed = !parts.headers.some(([name]) => name === "Origin");
  const headers: [string, string][] = [
    ...parts.headers,
    ["X-Forwarded-For", `198.18.${dice.below(256)}.${dice.below(256)}`],
    ["User-Agent", dice.oneOf([visitorAt(1, shop.website).headers["user-agent"] ?? "", "curl/8.5.0"])],
    ...(isKeyed && dice.chance(0.7)
      ? [
          ["Authorization", path.endsWith("trigger") ? `Bearer ${shop.secret}` : shop.key.authorization] as [
            string,
            string,
          ],
        ]
      : []),
  ];
  let made: Parts = { ...parts, headers };
  for (let times = dice.oneOf([0, 1, 1, 1, 2, 3]); times > 0; times -= 1) made = mutate(made, dice);
  const isAsDocumented = made.method === method && made.path === parts.path && operation !== undefined;
  return { ...partsSent(made, dice), documented: isAsDocumented ? Object.keys(operation.responses) : null };
};

const dayOf = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const partsSent = (parts: Parts, _: Dice): Sent => ({
  bytes: bytesOf(parts),
  isHead: parts.method === "HEAD",
  documented: null,
});

/** Those that would end the session that asks, or fetch a page of the internet. */
const notAsked: readonly DashOperation[] = [
  "DELETE /dash/api/me/sessions",
  "DELETE /dash/api/me/sessions/:session",
  "POST /dash/api/me/password",
  "POST /dash/api/publishers/:publisher/websites/:website/health/check-page",
];
const askedOperations = dashOperations.filter((operation) => !notAsked.includes(operation));

const dashCall = ({ dice, team, url }: World): Parts => {
  const { method, path, body } = callOf(dice.oneOf(askedOperations), team.things);
  const [bare = "", query = ""] = path.split("?");
  const parts: Parts = {
    method,
    path: bare,
    query: query === "" ? [] : query.split("&").map((pair) => pair.split("=", 2) as [string, string]),
    headers: [
      ["Cookie", team.owner.cookie],
      ...Object.entries(ownPage(url)),
      ...(body === undefined ? [] : [["Content-Type", "application/json"] as [string, string]]),
    ],
    body: body === undefined ? null : { json: body },
  };
  // What is as it should be would make and take away things without end.
  return method === "GET" && dice.chance(0.3) ? parts : mutate(mutate(parts, dice), dice);
};

const otherPaths: readonly string[] = [
  ...[
    "/",
    "/v1",
    "/v1/",
    "/docs",
    "/docs/errors",
    "/docs/guide",
    "/embed.js",
    "/c/x.js",
    "/dash",
    "/dash/",
    "/dash/x",
  ],
  ...[
    "/dash/sign-in",
    "/dash/sign-out",
    "/dash/link/x",
    "/dash/api",
    "/dash/api/x",
    "/dash/a/x.js",
    "/connect/x",
  ],
  ...[
    "/v1/oauth/authorize",
    "/v1/oauth/token",
    "/v1/oauth/revoke",
    "/.well-known/oauth-authorization-server",
  ],
  ...[
    "/.well-known/x",
    "/metrics",
    "/healthz",
    "/readyz",
    "/favicon.ico",
    "/robots.txt",
    "/.env",
    "/..%2f..%2fetc/passwd",
  ],
];

const otherCall = ({ dice, team, url }: World): Parts => {
  const form =
    "grant_type=authorization_code&client_id=x&code=x&redirect_uri=x&code_verifier=x&email=x&password=x&token=x";
  const method = dice.oneOf(["GET", "GET", "POST"]);
  const path = dice.oneOf(otherPaths);
  const parts: Parts = {
    method,
    path,
    query: dice.chance(0.5) ? (form.split("&").map((pair) => pair.split("=")) as [string, string][]) : [],
    headers: [
      ...Object.entries(ownPage(url)),
      ["Content-Type", "application/x-www-form-urlencoded"],
      // Signing out would end the session that asks.
      ...(dice.chance(0.3) && path !== "/dash/sign-out"
        ? [["Cookie", team.owner.cookie] as [string, string]]
        : []),
    ],
    body: method === "POST" ? { text: form } : null,
  };
  return dice.chance(0.3) ? parts : mutate(parts, dice);
};

const prepareOddCalls = ({ dice, random, known, shops }: World): (() => Sent) => {
  const [a, b] = shops;
  const make = createOddCalls(
    random,
    known,
    {
      keys: [a.key, b.key].map(({ authorization }) => authorization.slice("Bearer ".length)),
      secret: a.secret,
    },
    {
      websites: [a.website.websiteKey, b.website.websiteKey],
      publicKeys: [a.website.publicKey, b.website.publicKey],
      offers: b.offers.map(({ offerId }) => offerId),
    },
  );
  return () => {
    const { method, text } = make(dice.oneOf<Kind>(["reading", "sending", "alone"]));
    return { bytes: text, isHead: method === "HEAD", documented: null };
  };
};
