import { websiteSubject } from "../../core/refused-call.ts";
import type { Erased } from "../catalogue/catalogue-handle.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import { closeFacts } from "./closing.ts";
import { connect } from "./connect.ts";
import { rememberWebsites, type WebsitesOfCells } from "./detail.ts";
import { lockKeptSessions } from "./purge.ts";
import { type Client, transact } from "./transaction.ts";
import { silentMs } from "./writer-settings.ts";

type Erasing = {
  /** Erases what is stored of one request, which is named by its key. */
  request(request: string): Promise<Erased>;
  /** Erases what was stored of a website's visits when it began. */
  website(websiteId: number): Promise<Erased>;
};

/** Deleted in one transaction, and then the services have the rows to themselves for so long. */
const rowsAtOnce = 250;
const restMs = 15;
/** Looked through at a time, without any lock. */
const requestsInPage = 10_000;

/**
 * Prepares what deletes events, decline sessions, pings and traces of refused calls beside services that are running, a few
 * hundred rows at a time. What the events had added to counters, balances and click rates stays, as when they are
 * purged. Each waits for others' locks for `lockWaitMs` milliseconds at the most and rejects with the server's error then:
 * what was erased before stays so, and the next attempt goes on from there.
 */
export function prepareErasing(url: string, lockWaitMs: number): Erasing {
  const withClient = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = await connect({
      url,
      name: "offers erasing",
      settings: {
        lock_timeout: lockWaitMs,
        // Whatever the role's own limits are: a website of years takes its time.
        statement_timeout: 0,
        idle_in_transaction_session_timeout: silentMs,
        enable_hashjoin: "off",
        enable_mergejoin: "off",
      },
    });
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  return {
    request: (request) =>
      withClient(async (client) => {
        const sessions = await eraseRows(client, "decline_session", "number", "request", bytesOf(request));
        const events = await eraseFacts(client, [request], rememberWebsites());
        return { events, sessions, pings: 0, refusedCalls: 0 };
      }),
    website: (websiteId) =>
      withClient(async (client) => {
        // First what events may yet come of.
        const sessions = await eraseRows(client, "decline_session", "number", "website_id", websiteId);
        const websites = rememberWebsites();
        let events = 0;
        for await (const requests of requestsOf(client, websiteId)) {
          events += await eraseFacts(client, requests, websites);
        }
        const pings = await eraseRows(client, "snippet_ping", pingKey, "website_id", websiteId);
        const refusedCalls = await eraseRows(
          client,
          "trouble",
          "subject, hour, code, detail",
          "subject",
          websiteSubject(websiteId),
        );
        return { events, sessions, pings, refusedCalls };
      }),
  };
}

const pingKey = "website_id, host, script_version, hour";

const rest = (): Promise<void> => new Promise((resume) => setTimeout(resume, restMs));

const eraseRows = async (
  client: Client,
  table: "decline_session" | "snippet_ping" | "trouble",
  key: string,
  column: string,
  value: number | string | Uint8Array,
): Promise<number> => {
  let rows = 0;
  for (;;) {
    const some = `select * from ${table} where ${column} = $1 limit ${rowsAtOnce}`;
    const erased = await transact(client, async () => {
      if (table === "decline_session") await lockKeptSessions(client, some, [value]);
      const { rowCount } = await client.query(
        `delete from ${table} where (${key}) in (select ${key} from (${some}) as found)`,
        [value],
      );
      return rowCount ?? 0;
    });
    rows += erased;
    if (erased < rowsAtOnce) return rows;
    await rest();
  }
};

/** A few requests at a time, in the order of their keys: mostly one has some facts. */
const requestsAtOnce = 50;

const eraseFacts = async (
  client: Client,
  requests: readonly string[],
  websites: WebsitesOfCells,
): Promise<number> => {
  let events = 0;
  for (let at = 0; at < requests.length; at += requestsAtOnce) {
    const some = requests.slice(at, at + requestsAtOnce).map(bytesOf);
    for (;;) {
      const facts = { where: "request = any($1)", values: [some], most: rowsAtOnce };
      const closed = await closeFacts(client, facts, websites);
      events += closed;
      await rest();
      if (closed < rowsAtOnce) break;
    }
  }
  return events;
};

/** The requests of a website that have facts, page by page in the order of time. All facts of a request are of one website. */
async function* requestsOf(client: Client, websiteId: number): AsyncGenerator<string[]> {
  const cells = await client.query<{ id: number }>("select id from cell where website_id = $1", [websiteId]);
  const ofWebsite = cells.rows.map(({ id }) => id);
  let last: Buffer = Buffer.alloc(0);
  for (;;) {
    const { rows } = await client.query<{ request: Buffer }>(
      `select distinct request from fact where request > $1 and cell = any($2) order by request limit ${requestsInPage}`,
      [last, ofWebsite],
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows.map(({ request }) => request.toString("base64url"));
    last = end.request;
  }
}
