import type { Database as Sqlite } from "better-sqlite3";
import { websiteSubject } from "../../core/refused-call.ts";
import type { Fact } from "../journal/recording.ts";
import { bytesOf, textOf } from "../rows/row-bytes.ts";
import type { FactTable } from "../schema.ts";
import { prepareClosing } from "./closing.ts";
import { prepareReadAll } from "./fact-rows.ts";
import { truncateLog } from "./truncate-log.ts";
import { rollBack, takeWriteLock } from "./write-lock.ts";

/** How many rows went. */
type Erased = { events: number; sessions: number; pings: number; refusedCalls: number };

type Erasing = {
  /** Erases what is stored of one request, which is named by its key. */
  request(request: string): Promise<Erased>;
  /** Erases what was stored of a website's visits when it began. */
  website(websiteId: number): Promise<Erased>;
};

/** Deleted in one transaction, and then the service has the lock to itself for so long. */
const rowsAtOnce = 250;
const restMs = 15;
/** Looked through at a time, without any lock. */
const factsInPage = 10_000;

/**
 * Prepares what deletes events, decline sessions, pings and traces of refused calls beside a service that is running, a few
 * hundred rows at a time. What the events had added to counters, balances and click rates stays, as when they are
 * purged. Each waits for another process's lock for `lockWaitMs` milliseconds at the most and rejects with SQLite's error
 * then: what was erased before stays so, and the next attempt goes on from there.
 */
export function prepareErasing(sqlite: Sqlite, lockWaitMs: number): Erasing {
  const close = prepareClosing(sqlite);
  const readAll = prepareReadAll(sqlite);
  const transact = async (work: () => number): Promise<number> => {
    takeWriteLock(sqlite, lockWaitMs);
    let rows: number;
    try {
      rows = work();
      sqlite.exec("commit");
    } catch (error) {
      rollBack(sqlite);
      throw error;
    }
    await new Promise((resume) => setTimeout(resume, restMs));
    return rows;
  };
  const eraseFacts = async (requests: readonly string[]): Promise<number> => {
    const left = [...requests];
    let events = 0;
    while (left.length > 0) events += await transact(() => closeSome(left, readAll, close));
    return events;
  };
  /** Those that `select` finds by `value`, by the number that a table keeps of each. */
  const eraseRows = async (
    table: "decline_session" | "snippet_ping" | "trouble",
    where: string,
    value: number | string | Uint8Array,
  ): Promise<number> => {
    const numbers = sqlite
      .prepare<[number | string | Uint8Array], number>(`select rowid from ${table} where ${where} = +?`)
      .pluck()
      .all(value);
    const remove = sqlite.prepare<[number, number | string | Uint8Array]>(
      `delete from ${table} where rowid = +? and ${where} = +?`,
    );
    let rows = 0;
    for (let at = 0; at < numbers.length; at += rowsAtOnce) {
      const some = numbers.slice(at, at + rowsAtOnce);
      rows += await transact(() => some.reduce((sum, number) => sum + remove.run(number, value).changes, 0));
    }
    return rows;
  };
  const finish = (erased: Erased): Erased => {
    // The log has older copies of the pages. Where a service is at work it folds the log in itself.
    truncateLog(sqlite);
    return erased;
  };
  return {
    request: async (request) => {
      const sessions = await eraseRows("decline_session", "request", bytesOf(request));
      const events = await eraseFacts([request]);
      return finish({ events, sessions, pings: 0, refusedCalls: 0 });
    },
    website: async (websiteId) => {
      // First what events may yet come of.
      const sessions = await eraseRows("decline_session", "website_id", websiteId);
      let events = 0;
      for (const requests of requestsOf(sqlite, websiteId)) events += await eraseFacts(requests);
      const pings = await eraseRows("snippet_ping", "website_id", websiteId);
      const refusedCalls = await eraseRows("trouble", "subject", websiteSubject(websiteId));
      return finish({ events, sessions, pings, refusedCalls });
    },
  };
}

/** Deletes the facts of the first requests, as many as go at once, and takes requests that have none left off the list. */
const closeSome = (
  requests: string[],
  readAll: (request: string, most: number) => Fact[],
  close: (facts: readonly Fact[]) => void,
): number => {
  let rows = 0;
  for (let [request] = requests; request !== undefined && rows < rowsAtOnce; [request] = requests) {
    const most = rowsAtOnce - rows;
    const facts = readAll(request, most);
    close(facts);
    rows += facts.length;
    if (facts.length < most) requests.shift();
  }
  return rows;
};

type Key = Pick<FactTable, "request" | "offer" | "type" | "seq">;

/** The requests of a website that have facts, page by page in the order of time. All facts of a request are of one website. */
function* requestsOf(sqlite: Sqlite, websiteId: number): Generator<string[]> {
  const cells = sqlite.prepare<[number], number>("select id from cell where website_id = +?").pluck();
  const ofWebsite = new Set(cells.all(websiteId));
  const key = "request, offer, type, seq";
  const page = sqlite.prepare<[Uint8Array, number, number, number], Key & { cell: number }>(
    `select ${key}, cell from fact where (${key}) > (?, ?, ?, ?) order by ${key} limit ${factsInPage}`,
  );
  let last: Key | undefined = { request: Buffer.alloc(0), offer: 0, type: 1, seq: 0 };
  while (last !== undefined) {
    const rows = page.all(last.request, last.offer, last.type, last.seq);
    yield [...new Set(rows.filter(({ cell }) => ofWebsite.has(cell)).map(({ request }) => textOf(request)))];
    last = rows.at(-1);
  }
}
