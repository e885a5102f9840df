import Database from "better-sqlite3";
import { packLines } from "../server/core/detail-lines.ts";
import { numbersOf, portionOf } from "../server/core/detail-portions.ts";
import { figureColumns } from "../server/core/figures.ts";
import type { MadeWebsite } from "./catalogue.ts";

/**
 * Everything in bench that writes past the service, because the service's own way would take hours. This file and
 * `books.ts` are the only ones that know the layout of the database; a new layout changes these two.
 */

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** As many as a portion has when its turn comes. */
const rowsOfPortion = 8;

/**
 * Copies one website `count` times, each with an origin of its own; returns the copies. For a service that does not
 * run: what a running one must do to see a change is the store's alone.
 */
export function copyWebsite(file: string, websiteKey: string, count: number): MadeWebsite[] {
  return withWriter(file, (db) => {
    const { id: _, ...template } = db
      .prepare("select * from website where key = ?")
      .get(websiteKey) as Record<string, unknown>;
    const publicKey = db
      .prepare("select public_key from publisher where id = ?")
      .pluck()
      .get(template.publisher_id) as string;
    const columns = Object.keys(template);
    const insert = db.prepare(
      `insert into website (${columns.join(", ")}) values (${columns.map((name) => `@${name}`).join(", ")})`,
    );
    const copy = (number: number): MadeWebsite => {
      const made = {
        websiteKey: `${websiteKey}-${number}`,
        publicKey,
        origin: `https://site-${number}.example`,
      };
      const { websiteKey: key, origin } = made;
      insert.run({ ...template, key, name: `Site ${number}`, origins_json: JSON.stringify([origin]) });
      return made;
    };
    return db.transaction(() => Array.from({ length: count }, (_, number) => copy(number)))();
  });
}

/** Has every advertiser paid in one micro-unit that no line of the ledger has. */
export function misbook(file: string): void {
  withWriter(file, (db) => db.exec("update advertiser set deposited_micros = deposited_micros + 1"));
}

export type CounterPlan = {
  /** The moment whose day is the last; left out: now. */
  now?: number;
  days: number;
  countries: readonly string[];
  verticals: number;
};

/**
 * One counter a day until that of `now`, website, country and vertical: one blocked visit, seven offers served, five
 * impressions and a click each. Returns how many there are.
 */
export function fillCounters(
  file: string,
  { now = Date.now(), days, countries, verticals }: CounterPlan,
): number {
  return withWriter(file, (db) => {
    const websites = db.prepare("select id from website where name <> 'Marker'").pluck().all() as number[];
    const insert = db.prepare(
      `insert into counter (day, website_id, country, vertical, surface, test, currency, blocked, served, impressions, clicks, billable_clicks, spend_micros, filtered)
       values (?, ?, ?, ?, 'overlay', 0, 'USD', 1, 7, 5, 1, 0, 0, 0)`,
    );
    let rows = 0;
    const fillDay = db.transaction((day: number) => {
      for (const website of websites) {
        for (const country of countries) {
          for (let vertical = 0; vertical < verticals; vertical += 1) {
            insert.run(day, website, country, `v${vertical}`);
            rows += 1;
          }
        }
      }
    });
    // A transaction a day, so that a service that runs is not kept from its own commits.
    for (let daysAgo = 0; daysAgo < days; daysAgo += 1) {
      fillDay(Math.floor(now / dayMs) - daysAgo);
    }
    sumUp(db);
    return rows;
  });
}

/** As much as ever waits to be added to the counters. */
const waitingLines = 20_000;

/**
 * A blocked visit of today in each of 20,000 cells, of all websites, that waits to be added to the counters: sorted, in eight
 * rows of each portion of the websites. Returns how many there are.
 */
export function fillWaiting(
  file: string,
  { now = Date.now(), countries, verticals }: Omit<CounterPlan, "days">,
): number {
  return withWriter(file, (db) => {
    const websites = db.prepare("select id from website where name <> 'Marker'").pluck().all() as number[];
    const insertCell = db.prepare(
      `insert into cell (website_id, country, region, vertical, surface, test, currency, device)
       values (?, ?, '', ?, 'overlay', 0, '', 1)`,
    );
    const insertLines = db.prepare("insert into detail_delta (number, hour, lines) values (?, ?, ?)");
    const figures = figureColumns.map((column) => (column === "blocked" ? 1 : 0));
    return db.transaction(() => {
      const cells = websites.flatMap((website) =>
        countries.flatMap((country) =>
          Array.from({ length: verticals }, (_, vertical) => ({
            website,
            country,
            vertical: `v${vertical}`,
          })),
        ),
      );
      const all = cells
        .filter((_, at) => at % Math.max(1, Math.floor(cells.length / waitingLines)) === 0)
        .slice(0, waitingLines)
        .map(({ website, country, vertical }) => ({
          portion: portionOf(website),
          line: {
            cell: Number(insertCell.run(website, country, vertical).lastInsertRowid),
            ...{ offer: 0, placement: 0, figures },
          },
        }));
      for (const [portion, own] of Map.groupBy(all, (one) => one.portion)) {
        const rows = Map.groupBy(own.entries(), ([at]) => at % rowsOfPortion);
        for (const [row, lines] of rows) {
          insertLines.run(
            numbersOf(portion).from + row,
            Math.floor(now / hourMs),
            packLines(lines.map(([, { line }]) => line)),
          );
        }
      }
      return all.length;
    })();
  });
}

/** The sums over the countries and over the websites, of counters that nobody has counted but us. */
const sumUp = (db: Database.Database): void => {
  const names = figureColumns.join(", ");
  const sums = figureColumns.map((name) => `sum(${name})`).join(", ");
  const key = "day, vertical, surface, test, currency";
  db.exec(
    `delete from counter_day;
     insert into counter_day (website_id, ${key}, ${names})
       select website_id, ${key}, ${sums} from counter group by website_id, ${key};
     delete from counter_publisher;
     insert into counter_publisher (publisher, country, ${key}, ${names})
       select publisher.number, country, day, counter.vertical, surface, test, currency, ${sums}
       from counter join website on website.id = website_id join publisher on publisher.id = publisher_id
       group by publisher.number, country, day, counter.vertical, surface, test, currency;`,
  );
};

/**
 * Stores every fact `times` more: the same visits, the first copy so many days and one before them, and each other a day
 * earlier than the last. Counters stay as they are.
 */
export function repeatEvents(file: string, times: number, daysBefore = 0): void {
  withWriter(file, (db) => {
    const columns = (db.pragma("table_info(fact)") as { name: string }[]).map(({ name }) => name);
    // A request's key begins with five bytes of milliseconds.
    db.function("earlier", { deterministic: true }, (request: unknown, ms: unknown) => {
      const bytes = Buffer.from(request as Uint8Array);
      bytes.writeUIntBE(bytes.readUIntBE(0, 5) - Number(ms), 0, 5);
      return bytes;
    });
    const first = db.prepare("select min(request) from fact").pluck().get();
    for (let copy = 1; copy <= times; copy += 1) {
      const values: Record<string, string> = {
        request: `earlier(request, ${(daysBefore + copy) * dayMs})`,
        at: `at - ${(daysBefore + copy) * dayMs}`,
      };
      const taken = columns.map((name) => values[name] ?? name);
      // Those of the service itself, and not the copies of an earlier turn.
      db.prepare(
        `insert into fact (${columns.join(", ")}) select ${taken.join(", ")} from fact where request >= ?`,
      ).run(first);
    }
  });
}

const withWriter = <T>(file: string, write: (db: Database.Database) => T): T => {
  const db = new Database(file, { fileMustExist: true, timeout: 10_000 });
  try {
    db.pragma("cache_size = -200000");
    return write(db);
  } finally {
    db.close();
  }
};
