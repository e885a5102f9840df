import Database from "better-sqlite3";
import type { MadeWebsite } from "./catalogue.ts";

/**
 * Everything in bench that writes past the service, because the service's own way would take hours. This file and
 * `books.ts` are the only ones that know the layout of the database; a new layout changes these two.
 */

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

export type CounterPlan = { days: number; countries: readonly string[]; verticals: number };

/**
 * One counter a day until today, website, country and vertical: one blocked visit, seven offers served, five
 * impressions and a click each. Returns how many there are.
 */
export function fillCounters(file: string, { days, countries, verticals }: CounterPlan): number {
  return withWriter(file, (db) => {
    const websites = db.prepare("select id from website where name <> 'Marker'").pluck().all() as number[];
    const insert = db.prepare(
      `insert into counter (day, website_id, country, vertical, surface, test, blocked, served, impressions, clicks)
       values (?, ?, ?, ?, 'overlay', 0, 1, 7, 5, 1)`,
    );
    let rows = 0;
    const fillDay = db.transaction((day: string) => {
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
      fillDay(new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10));
    }
    return rows;
  });
}

/** Stores every event `times` more: the same visits, each copy a day earlier than the last. Counters stay as they are. */
export function repeatEvents(file: string, times: number): void {
  for (let copy = 1; copy <= times; copy += 1) {
    withWriter(file, (db) => {
      const columns = (db.pragma("table_info(event)") as { name: string }[]).map(({ name }) => name);
      const changed: Record<string, string> = {
        id: `id || '-${copy}'`,
        request: `request || '-${copy}'`,
        at: `at - ${copy * 86_400_000}`,
        day: `date(day, '-${copy} days')`,
      };
      const values = columns.map((name) => changed[name] ?? name);
      // Those of the service itself, and not the copies of an earlier turn.
      db.exec(
        `insert into event (${columns.join(", ")}) select ${values.join(", ")} from event where request not like '%-_'`,
      );
    });
  }
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
