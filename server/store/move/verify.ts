import { createHash } from "node:crypto";
import type { ReportDimension } from "@offers/contract/reports";
import { type Kysely, sql } from "kysely";
import { dateOfDay } from "../../core/utc-day.ts";
import { audit } from "../books/audit.ts";
import { recount } from "../books/recount.ts";
import { reportText } from "../books/report-text.ts";
import { websiteKeysById } from "../catalogue/websites.ts";
import type { Schema } from "../schema.ts";

/** What was found out about both sides in one way, and whether it is the same. */
export type Check = { what: string; source: string; target: string; agrees: boolean };

/** Asks both sides the same, one thing after the other. */
export async function verify(
  source: Kysely<Schema>,
  target: Kysely<Schema>,
  say: (text: string) => void,
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { what, ask } of questions) {
    say(`${what} on both sides`);
    const [one, other] = [await ask(source), await ask(target)];
    checks.push({ what, source: one.told, target: other.told, agrees: one.whole === other.whole });
  }
  return checks;
}

/** `told` to people, and the `whole` answer to be compared. */
type Answer = { told: string; whole: string };

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? String(member) : member));

const questions: readonly { what: string; ask: (db: Kysely<Schema>) => Promise<Answer> }[] = [
  {
    what: "recount",
    ask: async (db) => {
      const { cells, differences } = await recount(db);
      return { told: `${cells} cells, ${differences.length} differ`, whole: textOf({ cells, differences }) };
    },
  },
  {
    what: "audit",
    ask: async (db) => {
      const { lines, differences } = await audit(db);
      return { told: `${lines} lines, ${differences.length} differ`, whole: textOf({ lines, differences }) };
    },
  },
  {
    what: "balances",
    ask: async (db) => {
      const { rows } = await sql<{ id: string; micros: string }>`
        select id, cast(deposited_micros - coalesce((select spent_micros from spend where subject = id and day = 0), 0)
          as text) as micros from advertiser order by id`.execute(db);
      const sum = rows.reduce((micros, row) => micros + BigInt(row.micros), 0n);
      return { told: `${rows.length} advertisers, ${sum} micros left`, whole: textOf(rows) };
    },
  },
  {
    what: "ledger",
    ask: async (db) => {
      const { rows } = await sql<{
        kind: string;
        currency: string;
        lines: number;
        micros: string;
        earned: string;
      }>`
        select kind, currency, count(*) as lines, cast(sum(micros) as text) as micros,
          cast(coalesce(sum(earned_micros), 0) as text) as earned
        from ledger_line group by kind, currency order by kind, currency`.execute(db);
      const told = rows
        .map(({ kind, currency, micros }) => `${kind} ${micros} ${currency}`.trimEnd())
        .join(", ");
      return { told: told || "empty", whole: textOf(rows) };
    },
  },
  { what: "reports", ask: reports },
];

/** Everything that was ever counted: as coarse as counters are, as fine, and what only the lines of hours tell apart. */
const groupings: readonly (readonly ReportDimension[])[] = [
  ["date"],
  ["date", "websiteKey", "country", "vertical"],
  ["offer", "placement", "device", "region"],
];

/** So many at a time: the report of all of them together might not fit into memory. */
const websitesInReport = 50;

async function reports(db: Kysely<Schema>): Promise<Answer> {
  const range = await countedRange(db);
  if (range === null) return { told: "nothing was counted", whole: "" };
  const websites = [...(await websiteKeysById(db))].map(([id, key]) => ({ id, key }));
  websites.sort((one, other) => one.id - other.id);
  const hash = createHash("sha256");
  let texts = 0;
  for (let at = 0; at < websites.length; at += websitesInReport) {
    const some = { websites: websites.slice(at, at + websitesInReport), eventTypes: [] };
    for (const groupBy of groupings) {
      for (const test of [false, true]) {
        hash.update(await reportText(db, { ...some, ...range, groupBy, test }, "json"));
        texts += 1;
      }
    }
  }
  const digest = hash.digest("hex");
  return { told: `${texts} from ${range.from} to ${range.to}, ${digest.slice(0, 12)}`, whole: digest };
}

const countedRange = async (db: Kysely<Schema>): Promise<{ from: string; to: string } | null> => {
  const { first, last } = await db
    .selectFrom("counter_day")
    .select((eb) => [eb.fn.min<number | null>("day").as("first"), eb.fn.max<number | null>("day").as("last")])
    .executeTakeFirstOrThrow();
  return first === null || last === null ? null : { from: dateOfDay(first), to: dateOfDay(last) };
};
