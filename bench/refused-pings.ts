import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { startService } from "./service.ts";

export type RefusedPingsOptions = {
  pings: number;
  clients: number;
  /** What waits in memory is written once a second: how long that may take. */
  flushMs: number;
};

/** Twenty origins of an hour, and one row for all others. */
const mostRowsAnHour = 21;

/**
 * Pings one website from as many origins as there are calls, none of which is registered: every one is refused in the
 * same words, all are counted, and what stays is as little as of one, before and after a restart.
 */
export async function refusedPings(options: RefusedPingsOptions): Promise<Check[]> {
  // The limits would refuse the most of it before the origin is looked at.
  const service = await startService({ environment: { RATE_LIMIT_FACTOR: "999999" } });
  const client = openHttpClient(service.url, options.clients);
  try {
    const made = await makeCatalogue(service, {
      websites: [{ name: "Pinged", origins: ["https://pinged.example"], geo: everybodyBlocked }],
      offers: [],
    });
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const began = performance.now();
    const answers = await pingAll(client, website, options);
    const file = await service.databaseFile();
    const before = await untilCounted(file, options);
    console.log(
      `  ${options.pings} pings in ${((performance.now() - began) / 1000).toFixed(1)} s by ${options.clients} clients: ` +
        `${before.length} rows`,
    );
    await service.terminate();
    await service.start();
    const after = readTrouble(file);
    return [
      equal("different answers but for Request-Id", answers.size, 1),
      equal("status", [...answers.values()].join(), "403"),
      atMost("rows of an hour and website", mostOfAnHour(before), mostRowsAnHour),
      equal("websites that rows stand for", new Set(before.map(({ subject }) => subject)).size, 1),
      equal("refused pings that are counted", timesOf(before), options.pings),
      equal(
        "rows that are others after a restart",
        after.filter((row, at) => JSON.stringify(row) !== JSON.stringify(before[at])).length,
        0,
      ),
      equal("rows after a restart", after.length, before.length),
    ];
  } finally {
    client.close();
    await service.stop();
  }
}

/** Each answer that came, all of it but for its Request-Id and its date, with its status. */
const pingAll = async (
  client: HttpClient,
  { publicKey, websiteKey }: MadeWebsite,
  { pings, clients }: RefusedPingsOptions,
): Promise<ReadonlyMap<string, number>> => {
  const answers = new Map<string, number>();
  let sent = 0;
  const send = async (): Promise<void> => {
    while (sent < pings) {
      sent += 1;
      const origin = `https://${randomBytes(8).toString("hex")}.example`;
      const url = `${origin}/page`;
      const body = JSON.stringify({ pub: publicKey, websiteKey, url, scriptVersion: "0.1.0" });
      const {
        status,
        headers,
        body: text,
      } = await client.post("/v1/events/snippet-ping", body, {
        origin,
        "content-type": "application/json",
      });
      const { "request-id": id = "", date: _, "content-length": length, ...rest } = headers;
      // Each connection's last answer says that it is the last.
      const { connection: _connection, "keep-alive": _keepAlive, ...others } = rest;
      // The id is told in the body as well, and not all are of one length.
      const withoutId = Number(length) - String(id).length;
      const told = JSON.stringify([status, others, withoutId, text.replace(String(id), "")]);
      answers.set(told, status);
    }
  };
  await Promise.all(Array.from({ length: clients }, send));
  return answers;
};

type TroubleRow = { subject: string; hour: number; code: string; detail: string; times: number };

/** The rows once all pings are counted, or when it has taken too long. */
const untilCounted = async (file: string, { pings, flushMs }: RefusedPingsOptions): Promise<TroubleRow[]> => {
  const until = performance.now() + flushMs;
  for (;;) {
    const rows = readTrouble(file);
    if (timesOf(rows) >= pings || performance.now() > until) return rows;
    await pause(100);
  }
};

const readTrouble = (file: string): TroubleRow[] => {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare<[], TroubleRow>(
        "select subject, hour, code, detail, times from trouble order by subject, hour, code, detail",
      )
      .all();
  } finally {
    database.close();
  }
};

const timesOf = (rows: readonly TroubleRow[]): number => rows.reduce((sum, { times }) => sum + times, 0);

const mostOfAnHour = (rows: readonly TroubleRow[]): number =>
  Math.max(
    ...[...Map.groupBy(rows, ({ subject, hour }) => `${subject} ${hour}`).values()].map((of) => of.length),
  );

if (import.meta.main) {
  const options = readNumbers({ pings: 100_000, clients: 32, flushMs: 5000 }, process.argv.slice(2));
  process.exitCode = printChecks("Refused pings from made up origins", await refusedPings(options));
}
