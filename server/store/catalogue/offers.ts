import { type OfferInput, offerInput } from "@offers/contract/catalogue";
import { type OfferId, offerId } from "@offers/contract/ids";
import type { Kysely, Selectable } from "kysely";
import type { Offer, OfferStatus } from "../../core/catalogue.ts";
import { checkLandingUrl } from "../../core/landing-url.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { lockSpend } from "../dialects.ts";
import type { OfferTable, Schema } from "../schema.ts";
import { requireAdvertiser } from "./advertiser-rows.ts";
import { noteCurrency, requireCurrency } from "./advertisers.ts";
import { changeCatalogue, randomId } from "./catalogue-change.ts";
import { type Condition, requireVersion } from "./catalogue-conflict.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, type InputProblem, parseInput, refuseProblems } from "./catalogue-refusal.ts";
import { mergePatch } from "./merge-patch.ts";
import { columnsOfMembers, offerOf } from "./offer-rows.ts";
import { readPublisherIds } from "./publishers.ts";
import { geoProblems, type SavingRules, withoutRepeats } from "./saving-rules.ts";

export type ListedOffer = Omit<Offer, "number"> & {
  /** Everything ever billed to it, in whole micro-units. */
  spentMicros: number;
  /** Clicks ever billed to it. */
  billedClicks: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** For an edit that depends on it. */
  version: number;
};

/**
 * Saves an active offer at `now` (milliseconds since the epoch); without `id` it is random. Throws a
 * CatalogueRefusal for an unknown advertiser, location, landing URL or a currency that is not its advertiser's.
 */
export function createOffer(
  catalogue: CatalogueHandle,
  input: OfferInput,
  made: { now: number; rules: SavingRules; id?: OfferId; status?: OfferStatus },
): Promise<OfferId> {
  return changeCatalogue(catalogue, async (tx) => {
    const { db, version } = tx;
    await requireCurrency(db, input.advertiserId, input.currency);
    await noteCurrency(db, input.advertiserId, input.currency);
    await requirePublishers(db, input);
    const status = made.status ?? "active";
    const id = made.id ?? offerId.parse(randomId("offer"));
    await db
      .insertInto("offer")
      .values({
        ...checkedColumns(input, made.rules),
        id,
        advertiser_id: input.advertiserId,
        status,
        created_at: made.now,
        changed: version,
      })
      .execute();
    const after = { ...input, status };
    await tx.tell({ ...subjectOf({ ...input, id }), action: "created", before: null, after });
    return id;
  });
}

/**
 * Merges `patch` (RFC 7396, members of an offer's input) into the offer. Its advertiser and currency stay:
 * what was billed is theirs. Throws a CatalogueRefusal for an unknown offer and for whatever creating would refuse,
 * and a CatalogueConflict where the condition does not hold.
 */
export function updateOffer(
  catalogue: CatalogueHandle,
  id: string,
  patch: object,
  rules: SavingRules,
  condition: Condition = {},
): Promise<OfferId> {
  return changeCatalogue(catalogue, async (tx) => {
    const row = await requireRow(tx.db, id);
    const before = listed(row);
    await requireVersion(tx.db, condition, before);
    const { advertiserId: owner, currency, ...current } = before;
    const input = parseInput(offerInput, mergePatch(current, { ...patch, advertiserId: owner, currency }));
    await requirePublishers(tx.db, input, current);
    const columns = checkedColumns(input, rules, current.geoCoverage);
    const after = listed({ ...row, ...columns });
    if (await tx.tell({ ...subjectOf(after), action: "updated", before, after })) {
      await lockSpend(tx.db, [id]);
      await tx.db
        .updateTable("offer")
        .set({ ...columns, changed: tx.version })
        .where("id", "=", id)
        .execute();
    }
    return current.id;
  });
}

/**
 * Pauses or resumes an offer; the same status again changes nothing. Throws a CatalogueRefusal when it is unknown, and
 * a CatalogueConflict where the condition does not hold.
 */
export function setOfferStatus(
  catalogue: CatalogueHandle,
  id: string,
  status: OfferStatus,
  condition: Condition = {},
): Promise<OfferId> {
  return changeCatalogue(catalogue, async (tx) => {
    const offer = await requireOffer(tx.db, id);
    await requireVersion(tx.db, condition, offer);
    const action = status === "paused" ? "paused" : "resumed";
    const [before, after] = [{ status: offer.status }, { status }];
    if (await tx.tell({ ...subjectOf(offer), action, before, after })) {
      await lockSpend(tx.db, [id]);
      await tx.db.updateTable("offer").set({ status, changed: tx.version }).where("id", "=", id).execute();
    }
    return offer.id;
  });
}

/** Every offer, or one advertiser's, oldest first, with what it has cost so far. */
export async function listOffers(
  db: Kysely<Schema>,
  filter: { advertiserId?: string } = {},
): Promise<ListedOffer[]> {
  let query = offerRows(db).orderBy("created_at").orderBy("id");
  if (filter.advertiserId !== undefined) {
    await requireAdvertiser(db, filter.advertiserId);
    query = query.where("advertiser_id", "=", filter.advertiserId);
  }
  return (await query.execute()).map(listed);
}

/** One offer with what it has cost so far; throws a CatalogueRefusal when there is none with this id. */
export async function requireOffer(db: Kysely<Schema>, id: string): Promise<ListedOffer> {
  return listed(await requireRow(db, id));
}

/** What an offer has cost on the UTC day of `now` (milliseconds since the epoch). */
export async function readSpendToday(
  db: Kysely<Schema>,
  id: string,
  now: number,
): Promise<{ spentTodayMicros: number; clicksToday: number }> {
  const row = await db
    .selectFrom("spend")
    .select(["spent_micros", "billed_clicks"])
    .where("subject", "=", id)
    .where("day", "=", dayNumber(now))
    .executeTakeFirst();
  return { spentTodayMicros: row?.spent_micros ?? 0, clicksToday: row?.billed_clicks ?? 0 };
}

/** Whether a view of the offer was ever counted into what its click rate is learnt from. */
export async function hasRecordedViews(db: Kysely<Schema>, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("offer")
    .innerJoin("rate_count", "rate_count.offer", "offer.number")
    .select("offer.number")
    .where("offer.id", "=", id)
    .where("rate_count.impressions", ">", 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

type RowWithSpend = Selectable<OfferTable> & { spent_micros: number | null; billed_clicks: number | null };

const requireRow = async (db: Kysely<Schema>, id: string): Promise<RowWithSpend> => {
  const row = await offerRows(db).where("id", "=", id).executeTakeFirst();
  if (row) return row;
  throw new CatalogueRefusal([{ field: "offerId", message: `no offer has the id ${JSON.stringify(id)}` }]);
};

const subjectOf = ({ id, brand, title }: { id: string; brand: string; title: string }) => ({
  publisherId: null,
  subject: { kind: "offer" as const, id, name: `${brand}: ${title}` },
});

const offerRows = (db: Kysely<Schema>) =>
  db
    .selectFrom("offer")
    .leftJoin("spend", (join) => join.onRef("spend.subject", "=", "offer.id").on("spend.day", "=", 0))
    .selectAll("offer")
    .select(["spend.spent_micros", "spend.billed_clicks"]);

const listed = (row: RowWithSpend): ListedOffer => {
  const { number: _, ...offer } = offerOf(row);
  return {
    ...offer,
    spentMicros: row.spent_micros ?? 0,
    billedClicks: row.billed_clicks ?? 0,
    createdAt: row.created_at,
    version: row.changed,
  };
};

type NamedPublishers = Pick<OfferInput, "onlyPublishers" | "exceptPublishers">;

/** Throws a CatalogueRefusal that names every publisher of an input that there is none of. */
const requirePublishers = async (
  db: Kysely<Schema>,
  input: NamedPublishers,
  before?: NamedPublishers,
): Promise<void> => {
  if (input.onlyPublishers.length + input.exceptPublishers.length === 0) return;
  refuseProblems(unknownPublishers(input, await readPublisherIds(db), before));
};

/**
 * Every publisher that an input names and that there is none of: a slip would open an offer to nobody, or keep it from nobody.
 * @param known the ids of all publishers.
 * @param before what is saved already, and may stay.
 */
export function unknownPublishers(
  input: NamedPublishers,
  known: ReadonlySet<string>,
  before: NamedPublishers = { onlyPublishers: [], exceptPublishers: [] },
): InputProblem[] {
  return (["onlyPublishers", "exceptPublishers"] as const).flatMap((field) =>
    input[field]
      .filter((id) => !known.has(id) && !before[field].includes(id))
      .map((id) => ({ field, message: `no publisher has the id ${JSON.stringify(id)}` })),
  );
}

/**
 * The columns of an input that may be saved; throws a CatalogueRefusal that names every member that may not.
 * @param before the coverage that is saved already.
 */
export function checkedColumns(input: OfferInput, rules: SavingRules, before: readonly string[] = []) {
  const landing = checkLandingUrl(input.landingUrl, { production: rules.production });
  const coverage = withoutRepeats(input.geoCoverage);
  refuseProblems([
    ...(landing.ok ? [] : [{ field: "landingUrl", message: landing.message }]),
    ...geoProblems("geoCoverage", coverage, rules, before),
    ...(coverage.includes("*") && coverage.length > 1
      ? [{ field: "geoCoverage", message: "* is anywhere: name it alone" }]
      : []),
  ]);
  return columnsOfMembers({
    ...input,
    // As re-serialised by the check: the click hop sends what is stored.
    landingUrl: landing.ok ? landing.url : input.landingUrl,
    geoCoverage: coverage,
    onlyPublishers: withoutRepeats(input.onlyPublishers),
    exceptPublishers: withoutRepeats(input.exceptPublishers),
  });
}
