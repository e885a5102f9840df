import { createHash } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../context.ts";
import { createLearntRates } from "../core/click-rates.ts";
import { unpackOffers } from "../core/handed-offers.ts";
import { seededRandom } from "../core/seeded-random.ts";
import { createRateLimits } from "../http/rate-limits.ts";
import { withSecret } from "../testing/decline-calls.ts";
import { engineOfTests } from "../testing/engine-of-tests.ts";
import { withKey } from "../testing/key-calls.ts";
import {
  type Credentials,
  createOddCalls,
  type Kind,
  type Known,
  type OddCall,
} from "../testing/odd-calls.ts";
import { administer } from "../testing/postgres-server.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const wanted = 10_000;
const burst = { reading: 50, sending: 50, alone: 1 } satisfies Record<Kind, number>;
const seed = 20_261_120;
const lateMs = 31 * 60_000;

/** Serves the busy paths without Express, and everything by Express. */
let table: TestService;
let express: TestService;
let credentials: Credentials;

/** The same bytes in the same order for everybody who asks for the same sizes. */
const countedBytes = () => {
  let count = 0;
  return (size: number): Buffer => {
    count += 1;
    return createHash("shake256", { outputLength: size }).update(String(count)).digest();
  };
};

const time = { now: 0 };
const now = () => time.now;
/** Refused clicks on their way to the journal. */
const onTheWay: Promise<unknown>[] = [];
const settings = () => ({
  // In the service a timer collects them, and what is stored would depend on when it comes.
  wrapStore: (store: Context["store"]): Context["store"] => ({
    ...store,
    noteRefusedCall: (refused, at) =>
      void onTheWay.push(store.journal.append({ kind: "calls_refused", ...refused, at, calls: 1 })),
    noteRefusedClick: (click, at) =>
      void onTheWay.push(store.journal.append({ kind: "clicks_refused", ...click, at, clicks: 1 })),
  }),
  randomBytes: countedBytes(),
  rateLimits: createRateLimits(0.25, { now }),
});

beforeAll(async () => {
  table = await startTestService(settings());
  const all = await withKey(table);
  const other = await withKey(table, { publisherId: "publisher_b" });
  const narrow = await withKey(table, { scopes: ["decision:read"] });
  const { secret } = await withSecret(table);
  credentials = {
    keys: [all, all, all, other, narrow].map(({ key }) => key.key),
    secret: secret.secret,
  };
  express = await startTestService({ ...settings(), copyOf: table, busyPaths: [] });
  // A cell's number is the next one when a batch meets it, and there are two ways of batches: here they never agree.
  if (express.address.engine === "postgres")
    await administer(express.address.url, "select setval(pg_get_serial_sequence('cell', 'id'), 1000)");
  // Each service would take rates over at moments of its own, and rank by others than its twin meanwhile.
  const rates = createLearntRates();
  for (const { context } of [table, express]) context.store.rates = () => rates;
});
afterAll(async () => {
  await table.close();
  await express.close();
});

/** Sends the calls one behind the other on a connection of their own, and returns the texts of the answers. */
const sendBurst = (url: string, calls: readonly OddCall[]): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const answers: string[] = [];
    let received = "";
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("close", () => {
      const next = calls[answers.length]?.text.toString("latin1");
      reject(new Error(`closed before the answer to ${next}`));
    });
    socket.on("data", (data) => {
      received += data;
      for (;;) {
        const length = answerLength(received, calls[answers.length]?.method ?? "");
        if (length === null || received.length < length) break;
        answers.push(received.slice(0, length));
        received = received.slice(length);
      }
      if (answers.length < calls.length) return;
      resolve(answers);
      socket.destroy();
    });
    socket.write(Buffer.concat(calls.map(({ text }) => text)));
  });

const answerLength = (text: string, method: string): number | null => {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return null;
  const headers = text.slice(0, head).toLowerCase();
  if (method === "HEAD" || /^http\/1.1 (?:204|304)/.test(headers)) return head + 4;
  if (headers.includes("transfer-encoding: chunked")) {
    const end = text.indexOf("\r\n0\r\n\r\n", head);
    return end < 0 ? null : end + 7;
  }
  return head + 4 + Number(/content-length: (\d+)/.exec(headers)?.[1] ?? 0);
};

/** The clock of Node's own header and the ids that the writer makes for itself are nobody's to set. */
const comparable = (text: string): string =>
  text
    .replace(/\r\nDate: [^\r]*/, "")
    .replace(/evt_[0-9a-f]{32}/g, "evt_")
    .replace(/\/v1\/r\?t=[\w-]+/g, isInOrder ? "$&" : "/v1/r?t=");

/**
 * Whether calls that are sent at once go on in the order in which they came, so that the bytes that their links are sealed
 * with are drawn in it: what is written by two ways is not.
 */
const isInOrder = engineOfTests === "sqlite";

const learn = (known: Known, text: string): void => {
  for (const [, requestId = ""] of text.matchAll(/"requestId":"(req_[\w-]+)"/g))
    remember(known.requestIds, requestId);
  for (const [, token = ""] of text.matchAll(/\/v1\/r\?t=([\w-]+)/g)) remember(known.tokens, token);
  for (const [, id = ""] of text.matchAll(/"sessionId":"(dcl_[\w-]+)"/g)) remember(known.sessionIds, id);
};

/** The newest two hundred: the old ones expire as the clock goes on. */
const remember = (list: string[], item: string): void => {
  if (!list.includes(item)) list.push(item);
  if (list.length > 200) list.shift();
};

/** A row with what cells mean in place of their numbers: which calls come into one batch, and so which cell is met first, is chance. */
const withoutNumbers = (row: Row, cells: ReadonlyMap<unknown, string>): Row => ({
  ...row,
  ...("cell" in row && { cell: cells.get(row.cell) }),
  ...(row.offers instanceof Uint8Array && {
    offers: unpackOffers(row.offers).map((handed) => ({ ...handed, cell: cells.get(handed.cell) })),
  }),
});

type Row = Record<string, unknown>;

const rowsOf = (service: TestService) => {
  const cells = new Map(service.stored.table("cell").map(({ id, ...cell }) => [id, JSON.stringify(cell)]));
  return Object.fromEntries(
    service.stored
      .tables()
      .filter((name) => !/^counter|^rate_version$|^node$/.test(name) && (isInOrder || !/^detail/.test(name)))
      // What a batch counts waits in rows that depend on who came into the same batch.
      .concat("counted")
      .map((name) => [
        name,
        service.stored
          .table(name)
          // A row that nothing was spent of yet may be there before it is needed, or not.
          .filter((row) => name !== "spend" || row.spent_micros !== 0)
          .map((row) => (name === "cell" ? { ...row, id: 0 } : withoutNumbers(row, cells)))
          // At which version a count changed depends on the batches, too, and so does a transaction's number.
          .map(({ xid: _, ...row }) =>
            comparable(
              JSON.stringify(/^(rate_count|website_rate)$/.test(name) ? { ...row, changed: 0 } : row),
            ),
          )
          .sort(),
      ]),
  );
};

describe("odd requests to every route", () => {
  it("are answered and stored alike, with Express and without", { timeout: 120_000 }, async () => {
    const random = seededRandom(seed);
    const offerIds = ["premium", "best", "second", "cpm", "once", "lead", "world"].map(
      (name) => `offer_${name}`,
    );
    const known: Known = { requestIds: [], tokens: [], offerIds, sessionIds: [] };
    const makeCall = createOddCalls(random, known, credentials);
    const statuses = new Map<string, number>();
    let sent = 0;
    let isLate = false;
    while (sent < wanted) {
      const draw = random();
      const kind: Kind = draw < 0.25 ? "reading" : draw < 0.4 ? "sending" : "alone";
      const calls = Array.from({ length: burst[kind] }, () => makeCall(kind));
      const [one, two] = await Promise.all([sendBurst(table.url, calls), sendBurst(express.url, calls)]);
      await Promise.all(onTheWay.splice(0));
      for (const [at, call] of calls.entries()) {
        const answer = one[at] ?? "";
        if (comparable(answer) !== comparable(two[at] ?? "")) {
          expect
            .soft(comparable(answer), call.text.toString("latin1").slice(0, 2000))
            .toBe(comparable(two[at] ?? ""));
        }
        learn(known, answer);
        const status = answer.slice(9, 12);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      sent += calls.length;
      // Once past the time in which offers may be fetched, and never so far that a thread tidies up.
      const isHalfway = sent < wanted / 2 && sent + burst.reading >= wanted / 2;
      const step = isHalfway && !isLate ? lateMs : Math.floor(random() * 3000);
      isLate ||= isHalfway;
      for (const service of [table, express]) service.moveClock(step);
      time.now += step;
    }
    await expect.poll(() => rowsOf(express), { timeout: 10_000 }).toEqual(rowsOf(table));
    expect([table.errors, express.errors]).toEqual([[], []]);
    // A corpus that meets no good answer, or only one kind of refusal, would prove nothing.
    for (const status of [
      "200",
      "201",
      "204",
      "302",
      "400",
      "401",
      "403",
      "404",
      "405",
      "413",
      "415",
      "429",
    ]) {
      expect([status, (statuses.get(status) ?? 0) > 0]).toEqual([status, true]);
    }
  });
});
