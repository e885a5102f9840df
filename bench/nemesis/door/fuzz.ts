import { setTimeout as pause } from "node:timers/promises";
import type { Known } from "../../../server/testing/odd-calls.ts";
import { createDice } from "../../../server/testing/odd-dice.ts";
import { atLeast, atMost, type Check, equal } from "../../checks.ts";
import { type AnyMethodClient, openHttpClient } from "../../http-client.ts";
import { isAlive } from "../../program.ts";
import { type Visitor, visitorAt, visitPage } from "../../visitor.ts";
import type { ApiDocument } from "./document-calls.ts";
import { type Door, type DoorOptions, openDoor } from "./door.ts";
import { exchange, type Heard } from "./exchange.ts";
import { prepareCalls, type Sent } from "./fuzz-calls.ts";
import { isShed, isSpeculation, wrongProblem } from "./judge.ts";
import { openSession, openShop, type Shop } from "./shops.ts";
import { makeTeam, type Team } from "./team.ts";
import { findTraces } from "./traces.ts";

export type FuzzOptions = DoorOptions & {
  /** Requests. A tenth of them come before anything is measured. */
  requests: number;
};

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
export async function fuzz(options: FuzzOptions): Promise<Check[]> {
  const door = await openDoor(options, { LOG_LEVEL: "debug" });
  const { pid, url } = door.service;
  const client = openHttpClient(url, 8, { keepAlive: false });
  const ended = async (): Promise<Check> => {
    const isServing = await client.get("/healthz").then(
      ({ status }) => status === 200 && isAlive(pid) && door.service.pid === pid,
      () => false,
    );
    return equal("processes that ended", isServing ? 0 : `1: ${lastWords(door)}`, 0);
  };
  const attack = async (): Promise<Check[]> => {
    const scene = await prepare(door, client, options);
    // Whatever fails because the process has ended, or takes its leave, is told as that end.
    return sendAll(door, scene, options).then(
      async (checks) => [await ended(), ...checks],
      async (error: unknown) => {
        const end = await ended();
        if (end.holds) throw error;
        return [end];
      },
    );
  };
  const checks = await attack().catch(async (error: unknown) => {
    await door.stop().catch(() => undefined);
    throw error;
  });
  client.close();
  // Its log is searched when it stops, by what no log may hold: what that finds must not hide the other checks.
  const found = await door.stop().then(
    () => "",
    (error: unknown) => String(error),
  );
  return [...checks, equal("what it leaves behind when it stops", found.slice(0, 1500), "")];
}

/** Who is attacked, what a stranger could know of them, and what is sent. */
type Scene = { a: Shop; team: Team; known: Known; next: () => Sent };

const prepare = async (
  { service }: Door,
  client: AnyMethodClient,
  { random }: FuzzOptions,
): Promise<Scene> => {
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
  return { a, team, known, next };
};

const sendAll = async (
  door: Door,
  { a, team, known, next }: Scene,
  { requests }: FuzzOptions,
): Promise<Check[]> => {
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
  const before = await door.lookInside();
  await send(door, Math.round((requests - warmUp) / 2), next, seen, known);
  const half = await door.lookInside();
  await send(door, requests - seen.requests, next, seen, known);
  const after = await door.lookInside();
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
    equal("errors in the log", list(errorsIn(door)), ""),
    atMost("growth of what is held, in MB", round(after.heldMb - before.heldMb), mostGrowthMb(requests)),
    // Caches, and what the system's own allocator keeps, fill in the first half; a leak goes on.
    atMost(
      `growth of resident memory in the second half, in MB, ${round(before.rssMb)} then ${round(half.rssMb)} before`,
      round(after.rssMb - half.rssMb),
      64,
    ),
    atMost("p99 of the event loop's delay, in ms", round(Math.max(half.lateMs, after.lateMs)), 100),
    equal("traces of callers in files, tables and log", list(traces), ""),
  ];
};

/** Two kilobytes a request, and never more than is promised: caches that fill take one to three megabytes of either run. */
const mostGrowthMb = (requests: number): number => Math.min(64, requests * 0.002);

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
  seen.length === 0 ? "" : `${seen.length}: ${seen.slice(0, 5).join(" | ")}`.slice(0, 6000);

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
  /** Of the first of each kind the whole request, since the seed does not repeat what the service has sealed in it. */
  const add = (all: string[], what: string): void => {
    all.push(`${what} to ${JSON.stringify(all.length === 0 ? asked : first.slice(0, 160))}`);
  };
  seen.answers += answers.length;
  if (error !== null) add(seen.hung, error);
  // What follows a HEAD that was no request is answered with a body.
  if (rest !== "" && !sent.isHead) add(seen.wrong, `${JSON.stringify(rest.slice(0, 80))} is no answer`);
  for (const answer of answers) {
    const { status, headers } = answer;
    if (status >= 500 && !isShed(answer) && !isSpeculation(answer, asked)) add(seen.failed, String(status));
    const wrong = wrongProblem(answer, asked);
    if (wrong !== null) add(seen.wrong, `${status} ${wrong}`);
    if (!headers.has("request-id") && status !== 100) add(seen.wrong, `${status} without a Request-Id`);
    if (headers.has("x-injected") || headers.has("x-powered-by") || headers.has("server"))
      add(seen.injected, String(status));
    if (sent.documented !== null && !sent.documented.includes(String(status)) && status !== 431) {
      add(seen.undocumented, String(status));
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
const learn = async (client: AnyMethodClient, shop: Shop, known: Known): Promise<void> => {
  const visitor: Visitor = visitorAt(1000 + known.requestIds.length, shop.website);
  const { decision, offers } = await visitPage(client, shop.website, visitor);
  known.requestIds.push(decision.requestId);
  known.tokens.push(...offers.map(({ url }) => new URL(url).searchParams.get("t") ?? ""));
  known.sessionIds.push(await openSession(client, shop.website, visitor.headers));
};

const readDocument = async (client: AnyMethodClient): Promise<ApiDocument> =>
  JSON.parse((await client.get("/v1/openapi.json")).body) as ApiDocument;
