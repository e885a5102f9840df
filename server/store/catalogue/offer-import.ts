import type { OfferInput } from "@offers/contract/catalogue";
import { offerId } from "@offers/contract/ids";
import type { Insertable, Kysely, Selectable } from "kysely";
import {
  completedLine,
  type LineProblem,
  type NamedLine,
  type OfferFile,
  type OfferLine,
} from "../../core/offer-file.ts";
import { lockSpend } from "../dialects.ts";
import type { OfferTable, Schema } from "../schema.ts";
import { type CatalogueChange, changeCatalogue, randomId } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import { offerOf } from "./offer-rows.ts";
import { checkedColumns } from "./offers.ts";
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

/** SQLite binds at most 32,766 values in one statement, PostgreSQL 65,535; an offer has 25. */
const rowsAtOnce = 500;

/**
 * Saves every offer of a file at `now` (milliseconds since the epoch), or none of them when any is refused: a line without an id is a
 * new offer, a line with one creates or changes the offer of that id, which keeps whatever the file does not have. Everything
 * is one transaction, and every line that must not be saved is named with its column.
 */
export async function importOffers(
  catalogue: CatalogueHandle,
  file: OfferFile,
  made: { now: number; rules: SavingRules },
): Promise<OfferImport> {
  for (;;) {
    // Before the transaction: while it lasts, a running service waits.
    const checked = await checkLines(catalogue.db, file, made.rules);
    const alike = await alikeLines(catalogue.db, checked);
    try {
      const saved = await changeCatalogue(catalogue, (tx) => saveLines(tx, checked, file.problems, made.now));
      return { ok: true, ...saved, alike };
    } catch (error) {
      if (error instanceof RefusedLines) return { ok: false, problems: error.problems };
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
  }
}

/** What importing the file would do, or every line that keeps it from being imported; nothing is written. */
export async function checkOffers(
  { db }: Pick<CatalogueHandle, "db">,
  file: OfferFile,
  rules: SavingRules,
): Promise<OfferImport> {
  const checked = await checkLines(db, file, rules);
  const offers = await knownOffers(db);
  const problems = await problemsOf(db, checked, file.problems, offers);
  if (problems.length > 0) return { ok: false, problems };
  const known = new Set(offers.map(({ id }) => id));
  const updated = checked.filter(({ offerId: id }) => id !== null && known.has(id)).length;
  return { ok: true, created: checked.length - updated, updated, alike: await alikeLines(db, checked) };
}

/** Thrown out of the transaction, which has bumped the catalogue's version by then. */
class RefusedLines extends Error {
  readonly problems: LineProblem[];

  constructor(problems: LineProblem[]) {
    super("some lines cannot be saved");
    this.problems = problems;
  }
}

/** Thrown out of the transaction when an offer is not the one any more that its line was completed from. */
class ChangedMeanwhile extends Error {}

type KnownOffer = Pick<OfferTable, "id" | "advertiser_id" | "currency" | "changed">;
type NewRow = Insertable<OfferTable>;

/** A line with its columns; null, with the problems, when they must not be saved. */
type CheckedLine = Pick<OfferLine, "line" | "offerId" | "status"> & {
  /** Null: not even the line could be read. */
  input: OfferInput | null;
  columns: ReturnType<typeof checkedColumns> | null;
  problems: readonly LineProblem[];
  /** The version of the saved offer that it was read beside; null: there was none. */
  beside: number | null;
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
  return offers.map((line) => checkLine(line, rules, rows.get(line.offerId ?? "")));
};

const checkLine = (
  line: OfferLine | NamedLine,
  rules: SavingRules,
  row: Selectable<OfferTable> | undefined,
): CheckedLine => {
  const saved = row === undefined ? null : offerOf(row);
  const read = "input" in line ? line : completedLine(line, saved);
  const { offerId: id, status } = line;
  const checked = { line: line.line, offerId: id, status, beside: row?.changed ?? null };
  if (!("input" in read)) return { ...checked, input: null, columns: null, problems: read.problems };
  const { input } = read;
  try {
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

/** Whoever imports a file of new offers a second time has each of them twice, and with it its budget of a day. */
const alikeLines = async (db: Kysely<Schema>, lines: readonly CheckedLine[]): Promise<number[]> => {
  const fresh = lines.filter(({ offerId: id }) => id === null);
  if (fresh.length === 0) return [];
  const rows = await db
    .selectFrom("offer")
    .select(["advertiser_id", "brand", "title", "landing_url"])
    .execute();
  const likeness = (row: (typeof rows)[number]) =>
    JSON.stringify([row.advertiser_id, row.brand, row.title, row.landing_url]);
  const saved = new Set(rows.map(likeness));
  return fresh.flatMap(({ line, input, columns }) =>
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

const saveLines = async (
  tx: CatalogueChange,
  lines: readonly CheckedLine[],
  unreadable: readonly LineProblem[],
  now: number,
): Promise<{ created: number; updated: number }> => {
  const { db, version } = tx;
  const offers = await knownOffers(db);
  const known = new Map(offers.map((offer) => [offer.id, offer]));
  if (lines.some(({ offerId: id, beside }) => (known.get(id ?? "")?.changed ?? null) !== beside)) {
    throw new ChangedMeanwhile();
  }
  const problems = await problemsOf(db, lines, unreadable, offers);
  if (problems.length > 0) throw new RefusedLines(problems);
  const newRows: NewRow[] = [];
  const given: Change[] = [];
  for (const line of lines) {
    const { columns, input } = line;
    if (columns === null || input === null) continue;
    if (line.offerId !== null && known.has(line.offerId)) {
      given.push({ id: line.offerId, columns: { ...columns, ...(line.status && { status: line.status }) } });
      continue;
    }
    newRows.push({
      ...columns,
      id: line.offerId ?? offerId.parse(randomId("offer")),
      advertiser_id: input.advertiserId,
      status: line.status ?? "active",
      created_at: now,
      changed: version,
    });
  }
  for (let at = 0; at < newRows.length; at += rowsAtOnce) {
    await db
      .insertInto("offer")
      .values(newRows.slice(at, at + rowsAtOnce))
      .execute();
  }
  const changes = await withoutSame(db, given);
  for (const { id, columns } of changes) {
    await db
      .updateTable("offer")
      .set({ ...columns, changed: version })
      .where("id", "=", id)
      .execute();
  }
  // Behind the writing, which may take seconds: the clicks on these offers wait from here to the commit.
  await lockSpend(
    db,
    changes.map(({ id }) => id),
  );
  const after = { created: newRows.length, changed: changes.length };
  if (after.created + after.changed > 0) {
    // One for the file: of 10,000 offers nobody reads 10,000 rows.
    const subject = {
      kind: "offer_file" as const,
      id: "",
      name: lines.length === 1 ? "1 offer" : `${lines.length} offers`,
    };
    await tx.tell({ publisherId: null, subject, action: "imported", before: null, after });
  }
  return { created: newRows.length, updated: given.length };
};

type Change = { id: string; columns: Partial<NewRow> };

/** Whoever reads in what was exported changes some lines of many: the offers of the others stay as old as they are. */
const withoutSame = async (db: Kysely<Schema>, given: readonly Change[]): Promise<Change[]> => {
  const rows = new Map<string, object>(
    await rowsOf(
      db,
      given.map(({ id }) => id),
    ),
  );
  return given.filter(({ id, columns }) => {
    const row = rows.get(id) ?? {};
    const isChanged = Object.entries(columns).some(([name, value]) => Reflect.get(row, name) !== value);
    // A later line of the same offer is compared with this one.
    rows.set(id, { ...row, ...columns });
    return isChanged;
  });
};

const knownOffers = (db: Kysely<Schema>): Promise<KnownOffer[]> =>
  db.selectFrom("offer").select(["id", "advertiser_id", "currency", "changed"]).execute();

/** Everything that keeps the file from being saved, in the order of its lines. */
const problemsOf = async (
  db: Kysely<Schema>,
  lines: readonly CheckedLine[],
  unreadable: readonly LineProblem[],
  offers: readonly KnownOffer[],
): Promise<LineProblem[]> =>
  [
    ...unreadable,
    ...lines.flatMap((line) => line.problems),
    ...(await ownerProblems(db, lines, offers)),
  ].sort((one, other) => one.line - other.line);

/**
 * Whose the offers are: an advertiser that exists, one currency for all offers of one (they share a balance), and
 * both unchanged in an offer that is saved already (what was billed is theirs).
 */
const ownerProblems = async (
  db: Kysely<Schema>,
  lines: readonly CheckedLine[],
  offers: readonly KnownOffer[],
): Promise<LineProblem[]> => {
  const known = new Map(offers.map((offer) => [offer.id, offer]));
  const advertisers = new Set((await db.selectFrom("advertiser").select("id").execute()).map(({ id }) => id));
  const currencyOf = new Map(offers.map((offer) => [offer.advertiser_id, offer.currency]));
  const problems: LineProblem[] = [];
  for (const { line, offerId: id, input } of lines) {
    if (input === null) continue;
    const { advertiserId, currency } = input;
    const refuse = (column: string, message: string) => problems.push({ line, column, message });
    const saved = id === null ? undefined : known.get(id);
    if (!advertisers.has(advertiserId)) {
      refuse("advertiserId", `no advertiser has the id ${JSON.stringify(advertiserId)}`);
      continue;
    }
    if (saved !== undefined && saved.advertiser_id !== advertiserId) {
      refuse("advertiserId", `must be ${saved.advertiser_id}: an offer stays with its advertiser`);
      continue;
    }
    const wanted = currencyOf.get(advertiserId) ?? currency;
    currencyOf.set(advertiserId, wanted);
    if (currency !== wanted) {
      refuse("currency", `must be ${wanted} as in the advertiser's other offers: they share one balance`);
    }
  }
  return problems;
};
