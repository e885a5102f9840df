import { factTypes } from "../../core/fact.ts";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { audit } from "../books/audit.ts";
import { recount } from "../books/recount.ts";
import type { CatalogueHandle } from "../catalogue/catalogue-handle.ts";
import type { Store } from "../store.ts";
import { readCounted } from "./counted-rows.ts";

/** What the suite needs of an engine. */
export type EngineUnderTest = {
  name: string;
  /** A database of its own that has the schema and is empty. */
  newDatabase(): Promise<DatabaseUnderTest>;
};

export type DatabaseUnderTest = CatalogueHandle & {
  /** Changes the catalogue as one more process would. */
  beside(): Promise<CatalogueHandle>;
  /** Opens a store on the database, as one more process would. */
  open(clock: () => number): Promise<Store>;
  /** Writes entries in one batch, without a store. Rejects when one of them fails. */
  record(entries: readonly JournalEntry[]): Promise<JournalOutcome[]>;
  /** Ends what is left of it, after its stores. */
  close(): Promise<void>;
};

/** What is stored, in words: for any engine, for it is read by the query builder. */
export function readingOf({ db }: CatalogueHandle) {
  return {
    /** Every fact but answers, by its offer, type and repetition. */
    facts: async () => {
      const rows = await db
        .selectFrom("fact")
        .innerJoin("cell", "cell.id", "fact.cell")
        .selectAll("fact")
        .select(["cell.website_id", "cell.vertical", "cell.country", "cell.surface", "cell.test"])
        .where("type", "not in", [factTypes.served, factTypes.repeatedAnswer])
        .orderBy("offer")
        .orderBy("type")
        .orderBy("seq")
        .execute();
      return rows.map((row) => ({ ...row, request: Buffer.from(row.request).toString("base64url") }));
    },
    counters: () => readCounted(db),
    /** What a subject has spent; without a moment ever, else on its UTC day. */
    spend: async (subject: string, at?: number) =>
      (await db
        .selectFrom("spend")
        .select(["spent_micros", "billed_clicks"])
        .where("subject", "=", subject)
        .where("day", "=", at === undefined ? 0 : dayNumber(at))
        .executeTakeFirst()) ?? { spent_micros: 0, billed_clicks: 0 },
    /** The ledger but for deposits. */
    lines: () =>
      db.selectFrom("ledger_line").select(["kind", "micros"]).where("kind", "<>", "deposit").execute(),
    /** Whatever a recount or an audit finds wrong. */
    differences: async () => [...(await recount(db)).differences, ...(await audit(db)).differences],
  };
}
