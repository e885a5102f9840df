import type { OfferInput } from "@offers/contract/catalogue";
import { offerId } from "@offers/contract/ids";
import type { CompiledQuery, Insertable, Kysely, Selectable } from "kysely";
import {
  completedLine,
  type LineProblem,
  type NamedLine,
  type OfferFile,
  type OfferLine,
} from "../../core/offer-file.ts";
import { lockSpend } from "../dialects.ts";
import type { OfferTable, Schema } from "../schema.ts";
import { currenciesOf } from "./advertiser-rows.ts";
import { noteCurrency, otherCurrency } from "./advertisers.ts";
import { type CatalogueChange, changeCatalogue, randomId } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, refuseProblems } from "./catalogue-refusal.ts";
import { offerOf } from "./offer-rows.ts";
import { checkedColumns, unknownPublishers } from "./offers.ts";
import { readPublisherIds } from "./publishers.ts";
import type { SavingRules } from "./saving-rules.ts";

export type OfferImport =
  | {
      ok: true;
      created: number;
      updated: number;
      /** The lines of new offers that are like one that was saved before: its advertiser, brand, title and landing page. */
      alike: number[];
    }
  | { ok: false; problems: LineProblem[] };

/** SQLite binds at most 32,766 values in one statement, PostgreSQL 65,535; an offer has less than 50. */
const rowsAtOnce = 500;

/** As many as are written in well below a second (decisions.md#import-in-one-piece). */
const offersAtOnce = 10_000;

/**
 * Saves every offer of a file at `now` (milliseconds since the epoch), or none of them when any is refused: a line without an id is a
 * new offer, a line with one creates or changes the offer of that id, which keeps whatever the file does not have. Everything
 * is one transaction, and every line that must not be saved is named with its column. A file that would write too many
 * offers at once is refused.
 */
export async function importOffers(
  catalogue: CatalogueHandle,
  file: OfferFile,
  made: { now: number; rules: SavingRules },
): Promise<OfferImport> {
  const { db } = catalogue;
  for (;;) {
    // Before the transaction: while it lasts, nobody else writes on SQLite (decisions.md#import-in-one-piece).
    const { version: seen } = await db
      .selectFrom("catalogue_version")
      .select("version")
      .executeTakeFirstOrThrow();
    const prepared = await prepare(db, file, made);
    if (!prepared.ok) return prepared;
    const { newRows, changes, updated, alike } = prepared;
    const outcome = { ok: true as const, created: newRows.length, updated, alike };
    if (newRows.length + changes.length === 0) return outcome;
    const ready = statementsOf(db, prepared, seen + 1);
    try {
      await changeCatalogue(catalogue, async (tx) => {
        const isAsSeen = tx.version === seen + 1;
        if (!isAsSeen) await requireAsChecked(tx.db, prepared);
        await save(tx, prepared, isAsSeen ? ready : statementsOf(tx.db, prepared, tx.version));
      });
      return outcome;
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
  }
}

/** What importing the file would do, or every line that keeps it from being imported; nothing is written. */
export async function checkOffers(
  { db }: Pick<CatalogueHandle, "db">,
  file: OfferFile,
  made: { now: number; rules: SavingRules },
): Promise<OfferImport> {
  const prepared = await prepare(db, file, made);
  if (!prepared.ok) return prepared;
  const { newRows, updated, alike } = prepared;
  return { ok: true, created: newRows.length, updated, alike };
}

/** Thrown out of the transaction when the offers are not those any more beside which the lines were checked. */
class ChangedMeanwhile extends Error {}

type KnownOffer = Pick<
  OfferTable,
  "id" | "advertiser_id" | "currency" | "changed" | "brand" | "title" | "landing_url"
>;
type NewRow = Insertable<OfferTable>;
type Change = { id: string; columns: Partial<NewRow> };

/** What a file comes to beside the offers that were saved when its lines were checked. */
type Prepared = {
  ok: true;
  lines: readonly CheckedLine[];
  newRows: readonly Omit<NewRow, "changed">[];
  changes: readonly Change[];
  /** Of known offers, also those that are as their line has them. */
  updated: number;
  alike: number[];
  /** By the advertiser's id, where none was known: that of its first line. */
  newCurrencies: ReadonlyMap<string, string>;
};

/** A line with its columns; null, with the problems, when they must not be saved. */
type CheckedLine = Pick<OfferLine, "line" | "offerId" | "status"> & {
  /** Null: not even the line could be read. */
  input: OfferInput | null;
  columns: ReturnType<typeof checkedColumns> | null;
  problems: readonly LineProblem[];
  /** The saved offer that it was read beside; null: there was none. */
  beside: Selectable<OfferTable> | null;
};

const checkLines = async (
  db: Kysely<Schema>,
  { offers }: OfferFile,
  rules: SavingRules,
): Promise<CheckedLine[]> => {
  const rows = await rowsOf(
    db,
    offers.flatMap(({ offerId: id }) => id ?? []),
  );
  const publishers = await readPublisherIds(db);
  return offers.map((line) => checkLine(line, { rules, publishers }, rows.get(line.offerId ?? "")));
};

const checkLine = (
  line: OfferLine | NamedLine,
  { rules, publishers }: { rules: SavingRules; publishers: ReadonlySet<string> },
  row: Selectable<OfferTable> | undefined,
): CheckedLine => {
  const saved = row === undefined ? null : offerOf(row);
  const read = "input" in line ? line : completedLine(line, saved);
  const { offerId: id, status } = line;
  const checked = { line: line.line, offerId: id, status, beside: row ?? null };
  if (!("input" in read)) return { ...checked, input: null, columns: null, problems: read.problems };
  const { input } = read;
  try {
    refuseProblems(unknownPublishers(input, publishers, saved ?? undefined));
    return { ...checked, input, columns: checkedColumns(input, rules, saved?.geoCoverage), problems: [] };
  } catch (error) {
    if (!(error instanceof CatalogueRefusal)) throw error;
    const problems = error.problems.map(({ field, message }) => ({
      line: line.line,
      column: field,
      message,
    }));
    return { ...checked, input, columns: null, problems };
  }
};

/** The lines, checked, and the rows that they come to; or everything that keeps the file from being saved. */
const prepare = async (
  db: Kysely<Schema>,
  file: OfferFile,
  { now, rules }: { now: number; rules: SavingRules },
): Promise<Prepared | { ok: false; problems: LineProblem[] }> => {
  const lines = await checkLines(db, file, rules);
  const offers = await knownOffers(db);
  const owners = await judgeOwners(db, lines, offers);
  const problems = [...file.problems, ...lines.flatMap((line) => line.problems), ...owners.problems];
  if (problems.length > 0)
    return { ok: false, problems: problems.sort((one, other) => one.line - other.line) };
  const newRows: Omit<NewRow, "changed">[] = [];
  const given: (Change & { row: object })[] = [];
  for (const { offerId: id, status, columns, input, beside } of lines) {
    if (columns === null || input === null) continue;
    if (beside !== null) {
      given.push({ id: beside.id, columns: { ...columns, ...(status && { status }) }, row: beside });
      continue;
    }
    newRows.push({
      ...columns,
      id: id ?? offerId.parse(randomId("offer")),
      advertiser_id: input.advertiserId,
      status: status ?? "active",
      created_at: now,
    });
  }
  const changes = differences(given);
  const written = newRows.length + changes.length;
  if (written > offersAtOnce) {
    const message = `the file would write ${written} offers, and all else has to wait until they are: divide it into files of ${offersAtOnce}`;
    return { ok: false, problems: [{ line: 1, column: "", message }] };
  }
  return {
    ok: true,
    lines,
    newRows,
    changes,
    updated: given.length,
    alike: alikeLines(lines, offers),
    newCurrencies: owners.newCurrencies,
  };
};

/**
 * What really changes: whoever reads in what was exported changes some columns of some lines, and the offers of the others
 * stay as old as they are.
 */
const differences = (given: readonly (Change & { row: object })[]): Change[] => {
  // A later line of the same offer is compared with the one before.
  const rows = new Map<string, object>();
  return given.flatMap(({ id, columns, row: saved }) => {
    const row = rows.get(id) ?? saved;
    rows.set(id, { ...row, ...columns });
    const others = Object.entries(columns).filter(([name, value]) => Reflect.get(row, name) !== value);
    return others.length === 0 ? [] : [{ id, columns: Object.fromEntries(others) }];
  });
};

/** Whoever imports a file of new offers a second time has each of them twice, and with it its budget of a day. */
const alikeLines = (lines: readonly CheckedLine[], offers: readonly KnownOffer[]): number[] => {
  const likeness = (row: Pick<KnownOffer, "advertiser_id" | "brand" | "title" | "landing_url">) =>
    JSON.stringify([row.advertiser_id, row.brand, row.title, row.landing_url]);
  const saved = new Set(offers.map(likeness));
  return lines.flatMap(({ line, offerId: id, input, columns }) =>
    id === null &&
    input !== null &&
    columns !== null &&
    saved.has(likeness({ ...columns, advertiser_id: input.advertiserId }))
      ? [line]
      : [],
  );
};

const rowsOf = async (
  db: Kysely<Schema>,
  ids: readonly string[],
): Promise<Map<string, Selectable<OfferTable>>> => {
  const rows = new Map<string, Selectable<OfferTable>>();
  for (let at = 0; at < ids.length; at += rowsAtOnce) {
    const some = ids.slice(at, at + rowsAtOnce);
    for (const row of await db.selectFrom("offer").selectAll().where("id", "in", some).execute()) {
      rows.set(row.id, row);
    }
  }
  return rows;
};

/** Throws ChangedMeanwhile where an offer of the file is another one by now, or may not be saved any more. */
const requireAsChecked = async (db: Kysely<Schema>, { lines }: Prepared): Promise<void> => {
  const offers = await knownOffers(db);
  const known = new Map(offers.map(({ id, changed }) => [id, changed]));
  const isOther = lines.some(({ offerId: id, beside }) => known.get(id ?? "") !== beside?.changed);
  if (isOther || (await judgeOwners(db, lines, offers)).problems.length > 0) throw new ChangedMeanwhile();
};

/** Made beforehand, since to put them into words takes longer than to run them. */
const statementsOf = (
  db: Kysely<Schema>,
  { newRows, changes }: Prepared,
  version: number,
): CompiledQuery[] => {
  const statements: CompiledQuery[] = [];
  for (let at = 0; at < newRows.length; at += rowsAtOnce) {
    const rows = newRows.slice(at, at + rowsAtOnce).map((row) => ({ ...row, changed: version }));
    statements.push(db.insertInto("offer").values(rows).compile());
  }
  for (const { id, columns } of changes) {
    const changed = { ...columns, changed: version };
    statements.push(db.updateTable("offer").set(changed).where("id", "=", id).compile());
  }
  return statements;
};

const save = async (
  { db, tell }: CatalogueChange,
  { lines, newRows, changes, newCurrencies }: Prepared,
  statements: readonly CompiledQuery[],
): Promise<void> => {
  for (const statement of statements) await db.executeQuery(statement);
  for (const [advertiserId, currency] of newCurrencies) await noteCurrency(db, advertiserId, currency);
  // Behind the writing, which may take seconds: the clicks on these offers wait from here to the commit.
  await lockSpend(
    db,
    changes.map(({ id }) => id),
  );
  // One for the file: of 10,000 offers nobody reads 10,000 rows.
  const subject = {
    kind: "offer_file" as const,
    id: "",
    name: lines.length === 1 ? "1 offer" : `${lines.length} offers`,
  };
  const after = { created: newRows.length, changed: changes.length };
  await tell({ publisherId: null, subject, action: "imported", before: null, after });
};

const knownOffers = (db: Kysely<Schema>): Promise<KnownOffer[]> =>
  db
    .selectFrom("offer")
    .select(["id", "advertiser_id", "currency", "changed", "brand", "title", "landing_url"])
    .execute();

/**
 * Whose the offers are: an advertiser that exists, in whose currency they are (they share its balance), and unchanged in an
 * offer that is saved already (what was billed is theirs). The first line of an advertiser that has no currency says it.
 */
const judgeOwners = async (
  db: Kysely<Schema>,
  lines: readonly CheckedLine[],
  offers: readonly KnownOffer[],
): Promise<{ problems: LineProblem[]; newCurrencies: Map<string, string> }> => {
  const known = new Map(offers.map((offer) => [offer.id, offer]));
  const currencies = await currenciesOf(db);
  const newCurrencies = new Map<string, string>();
  const problems: LineProblem[] = [];
  for (const { line, offerId: id, input } of lines) {
    if (input === null) continue;
    const { advertiserId, currency } = input;
    const refuse = (column: string, message: string) => problems.push({ line, column, message });
    const saved = id === null ? undefined : known.get(id);
    const own = currencies.get(advertiserId);
    if (own === undefined) {
      refuse("advertiserId", `no advertiser has the id ${JSON.stringify(advertiserId)}`);
      continue;
    }
    if (saved !== undefined && saved.advertiser_id !== advertiserId) {
      refuse("advertiserId", `must be ${saved.advertiser_id}: an offer stays with its advertiser`);
      continue;
    }
    const message = otherCurrency(own ?? newCurrencies.get(advertiserId) ?? null, currency);
    if (message !== null) refuse("currency", message);
    else if (own === null) newCurrencies.set(advertiserId, currency);
  }
  return { problems, newCurrencies };
};
