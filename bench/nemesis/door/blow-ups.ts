import { setTimeout as pause } from "node:timers/promises";
import { atLeast, atMost, type Check, equal } from "../../checks.ts";
import { openHttpClient } from "../../http-client.ts";
import { cpuBetween, readCpu, untilIdle } from "../../machine/process-figures.ts";
import { isAlive } from "../../program.ts";
import { decisionPath, visitorAt, visitPage } from "../../visitor.ts";
import { type DoorOptions, openDoor } from "./door.ts";
import { exchange } from "./exchange.ts";
import { isShed } from "./judge.ts";
import { openShop } from "./shops.ts";

/** Just below what a head may have. */
const longest = 15_600;
const filled = (pattern: string, end = ""): string =>
  pattern.repeat(Math.ceil(longest / pattern.length)).slice(0, longest - end.length) + end;

/** Texts of which a regular expression, or a loop within a loop, makes work without end. */
const nasty: Record<string, string> = {
  blanks: filled(" ", "x"),
  "blanks and a comma": filled(" ", ","),
  "a's": filled("a", "!"),
  dots: filled("a.", "!"),
  dashes: filled("a-", "!"),
  commas: filled(",", "x"),
  "commas and blanks": filled(" ,", "x"),
  semicolons: filled(";q=", "x"),
  slashes: filled("/", "x"),
  colons: filled("1:", "x"),
  parentheses: filled("(", "x"),
  browsers: filled("Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 Chrome/1.0 "),
  robots: filled("bot crawl spider "),
  digits: filled("1234567890."),
  equals: filled("a=b; "),
  quotes: filled('"\\'),
  languages: filled("en-US;q=0.9,"),
};

const headers = [
  ...[
    "User-Agent",
    "Origin",
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Authorization",
    "Cookie",
    "Referer",
  ],
  ...[
    "X-Forwarded-For",
    "Content-Type",
    "Content-Encoding",
    "If-None-Match",
    "Idempotency-Key",
    "Sec-Fetch-Site",
  ],
  ...[
    "Sec-Purpose",
    "Sec-GPC",
    "X-Integration-Secret",
    "traceparent",
    "Host",
    "Access-Control-Request-Headers",
  ],
];

/** Who reads a header that not every route does; the others are sent to each route in turn. */
const readers: Record<string, string> = {
  "User-Agent": "a decision",
  Origin: "a decision",
  "X-Forwarded-For": "a decision",
  Authorization: "a report",
  Cookie: "the dashboard",
  "X-Integration-Secret": "a trigger",
};

/** How often each is sent: one alone is less than the process does by itself. */
const times = 40;
const atOnce = 8;
/**
 * A text that makes much work has the service turn the next calls away, which costs nothing: only what it reads is counted. After
 * so long it takes all of them again.
 */
const calmMs = 1200;
const mostTurnedAway = 200;

/** Sends texts of 16 KiB that are hard to match, at every place where there is something to match them with. */
export async function blowUps({ engine }: Pick<DoorOptions, "engine">): Promise<Check[]> {
  const door = await openDoor({ engine });
  const { service } = door;
  const client = openHttpClient(service.url, 4, { keepAlive: false });
  try {
    const { website, key, secret } = await openShop(service, "a");
    const visitor = visitorAt(1, website);
    const { decision, offers } = await visitPage(client, website, visitor);
    const link = new URL(offers[0]?.url ?? "");
    const usual: Record<string, string> = {
      Host: "x",
      "User-Agent": visitor.headers["user-agent"] ?? "",
      Origin: website.origin,
      "X-Forwarded-For": "198.18.0.1",
    };
    const write = (first: string, given: Record<string, string>, body = ""): Buffer => {
      const length = body === "" ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
      const lines = Object.entries({ ...given, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
      return Buffer.from(`${first} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
    };
    const firsts: [name: string, first: string, given: Record<string, string>, body?: string][] = [
      ["a decision", `GET ${decisionPath(website)}`, usual],
      ["a click", `GET ${link.pathname}${link.search}`, { ...usual, Origin: "" }],
      ["a report", "GET /v1/reports/aggregate", { Host: "x", Authorization: key.authorization }],
      ["the dashboard", "GET /dash/api/me", { Host: "x", Cookie: `offers=${"A".repeat(43)}` }],
      ["the page", "GET /docs", { Host: "x" }],
      ["a beacon", "POST /v1/events/click", { ...usual, "Content-Type": "text/plain" }, "{}"],
      ["a trigger", "POST /v1/widget-decline/trigger", { Host: "x", "X-Integration-Secret": secret }, "{}"],
    ];
    const calls: { name: string; bytes: Buffer }[] = [];
    for (const [text, value] of Object.entries(nasty)) {
      for (const header of headers) {
        // Each route has readers of its own; all of them for all texts would take an hour.
        const [place, first, given, body] =
          firsts.find(([name]) => name === readers[header]) ??
          firsts[calls.length % firsts.length] ??
          (["", "", {}] as const);
        const bytes = write(
          first,
          { ...given, [header]: header === "Authorization" ? `Bearer ${value}` : value },
          body,
        );
        calls.push({ name: `${header} of ${text} at ${place}`, bytes });
      }
      const path = value.replace(/[ #?]/g, "-").replaceAll('"', "%22");
      calls.push({ name: `a path of ${text}`, bytes: write(`GET /${path}`, usual) });
      calls.push({
        name: `a path of v1 of ${text}`,
        bytes: write(`GET /v1/widget-decline/session/${path}`, usual),
      });
      calls.push({ name: `a page's path of ${text}`, bytes: write(`GET /dash/${path}`, { Host: "x" }) });
      const short = encodeURIComponent(value).slice(0, 1900).replace(/%.?$/, "");
      calls.push({
        name: `a query of ${text}`,
        bytes: write(`GET ${decisionPath(website)}&country=${short}`, usual),
      });
      calls.push({ name: `a token of ${text}`, bytes: write(`GET /v1/r?t=${short}`, usual) });
      const body = JSON.stringify({ requestId: decision.requestId, offerId: value, url: value });
      calls.push({
        name: `a body of ${text}`,
        bytes: write("POST /v1/events/impression", { ...usual, "Content-Type": "text/plain" }, body),
      });
    }
    const port = Number(new URL(service.url).port);
    const unanswered: string[] = [];
    const sendAll = async (name: string, bytes: Buffer): Promise<void> => {
      let turnedAway = 0;
      for (let read = 0; read < times; ) {
        const heard = await Promise.all(Array.from({ length: atOnce }, () => exchange(port, bytes)));
        if (heard.some(({ answers, error }) => error !== null || answers.length === 0)) {
          unanswered.push(name);
          return;
        }
        const shed = heard.filter(({ answers }) => answers.some(isShed)).length;
        read += atOnce - shed;
        turnedAway += shed;
        if (turnedAway > mostTurnedAway) throw new Error(`${name} is turned away again and again`);
        if (shed > 0) await pause(calmMs);
      }
    };
    for (const { name, bytes } of calls.slice(0, 40)) await sendAll(name, bytes);
    let worst = { name: "", ms: 0 };
    let before = await untilIdle(service.pid);
    for (const { name, bytes } of calls) {
      // A process that has ended reads nothing, and costs nothing.
      if (!isAlive(service.pid)) break;
      await sendAll(name, bytes);
      const after = await readCpu(service.pid);
      const ms = cpuBetween(service.pid, before, after).all / 1e6 / times;
      if (ms > worst.ms) worst = { name, ms };
      before = after;
    }
    const isServing = await client.get("/healthz").then(
      ({ status }) => status === 200,
      () => false,
    );
    return [
      equal("processes that ended", isServing && isAlive(service.pid) ? 0 : 1, 0),
      equal("texts without an answer", [...new Set(unanswered)].slice(0, 3).join("; "), ""),
      atLeast("texts of 16 KiB and where they were sent", calls.length, 300),
      atMost(`CPU of the worst in ms, ${worst.name}`, Math.round(worst.ms * 100) / 100, 5),
    ];
  } finally {
    client.close();
    await door.stop();
  }
}
