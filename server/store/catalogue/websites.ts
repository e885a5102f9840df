import { allowlist, type WebsiteInput, websiteInput } from "@offers/contract/catalogue";
import { type PublicKey, type WebsiteKey, websiteKey } from "@offers/contract/ids";
import type { Kysely, Selectable } from "kysely";
import { accentProblem } from "../../core/accent.ts";
import type { Website } from "../../core/catalogue.ts";
import { lockSpend } from "../dialects.ts";
import type { Schema, WebsiteTable } from "../schema.ts";
import { type CatalogueChange, changeCatalogue, randomId } from "./catalogue-change.ts";
import { type Condition, requireVersion } from "./catalogue-conflict.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, type InputProblem, parseInput, refuseProblems } from "./catalogue-refusal.ts";
import { findLetIn } from "./let-in.ts";
import { mergePatch } from "./merge-patch.ts";
import { requirePublisher } from "./publishers.ts";
import { geoProblems, originProblems, type SavingRules, withoutRepeats } from "./saving-rules.ts";
import { websiteOf, websiteRows } from "./website-rows.ts";

export type WebsiteKeys = { websiteKey: WebsiteKey; publicKey: PublicKey };

export type ListedWebsite = Omit<Website, "id" | "key" | "archived"> & {
  websiteKey: WebsiteKey;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** For an edit that depends on it: one for all that is saved of it, its allowlist included. */
  version: number;
};

/** A website may show nothing until its publisher says what: an empty allowlist. */
const nothingAllowed = allowlist.parse({ mode: "allowlist", allow: {}, block: {} });

/** So many websites that are not deleted a publisher's own people make (decisions.md#websites-of-a-publisher). */
export const mostWebsites = 200;

/**
 * Saves a website at `now` (milliseconds since the epoch) with an empty allowlist; without `key` it is random.
 * Throws a CatalogueRefusal for an unknown publisher, one that has as many as its people may make, an origin that may not be
 * registered or an unknown location.
 */
export function createWebsite(
  catalogue: CatalogueHandle,
  input: WebsiteInput,
  made: { now: number; rules: SavingRules; key?: WebsiteKey },
): Promise<WebsiteKeys> {
  return changeCatalogue(catalogue, async (tx) => {
    const { db, version } = tx;
    const publisher = await requirePublisher(db, input.publisherId);
    refuseProblems([...websiteProblems(input, made.rules), ...(await tooManyProblems(tx, input))]);
    const key = made.key ?? websiteKey.parse(randomId("ws"));
    await db
      .insertInto("website")
      .values({
        ...columnsOf(input),
        key,
        publisher_id: input.publisherId,
        allowlist_json: JSON.stringify(nothingAllowed),
        created_at: made.now,
        changed: version,
      })
      .execute();
    const { publisherId: _, ...after } = input;
    const subject = websiteSubject({ ...input, websiteKey: key });
    await tx.tell({ ...subject, action: "created", before: null, after });
    return { websiteKey: key, publicKey: publisher.publicKey };
  });
}

/**
 * Merges `patch` (RFC 7396, members of a website's input) into the website; its publisher stays.
 * Throws a CatalogueRefusal for an unknown website and for whatever creating would refuse, and a CatalogueConflict where
 * the condition does not hold.
 */
export function updateWebsite(
  catalogue: CatalogueHandle,
  key: string,
  patch: object,
  rules: SavingRules,
  condition: Condition = {},
): Promise<WebsiteKeys> {
  return changeCatalogue(catalogue, async (tx) => {
    const row = await requireRow(tx.db, key);
    const current = listed(row);
    await requireVersion(tx.db, condition, current);
    const input = parseInput(
      websiteInput,
      mergePatch(current, { ...patch, publisherId: current.publisherId }),
    );
    refuseProblems(websiteProblems(input, rules, current.geoRule.entries));
    const columns = columnsOf(input);
    const after = listed({ ...row, ...columns });
    if (await tx.tell({ ...websiteSubject(after), action: "updated", before: current, after })) {
      if (after.shareBasisPoints !== current.shareBasisPoints) await lockSpend(tx.db);
      await tx.db
        .updateTable("website")
        .set({ ...columns, changed: tx.version })
        .where("key", "=", key)
        .execute();
    }
    return { websiteKey: current.websiteKey, publicKey: current.publicKey };
  });
}

/**
 * Pauses or resumes a website; the same again changes nothing. Throws a CatalogueRefusal when it is unknown, and a
 * CatalogueConflict where the condition does not hold.
 */
export function setWebsitePaused(
  catalogue: CatalogueHandle,
  key: string,
  isPaused: boolean,
  condition: Condition = {},
): Promise<WebsiteKeys> {
  return changeCatalogue(catalogue, async (tx) => {
    const current = await requireWebsite(tx.db, key);
    await requireVersion(tx.db, condition, current);
    const [before, after] = [{ paused: current.paused }, { paused: isPaused }];
    const action = isPaused ? "paused" : "resumed";
    if (await tx.tell({ ...websiteSubject(current), action, before, after })) {
      await tx.db
        .updateTable("website")
        .set({ paused: isPaused ? 1 : 0, changed: tx.version })
        .where("key", "=", key)
        .execute();
    }
    return { websiteKey: current.websiteKey, publicKey: current.publicKey };
  });
}

/** Every website, or one publisher's, oldest first, without those that were deleted. */
export async function listWebsites(
  db: Kysely<Schema>,
  filter: { publisherId?: string } = {},
): Promise<ListedWebsite[]> {
  let query = websiteRows(db).where("website.archived_at", "is", null).orderBy("website.id");
  if (filter.publisherId !== undefined) {
    await requirePublisher(db, filter.publisherId);
    query = query.where("website.publisher_id", "=", filter.publisherId);
  }
  return (await query.execute()).map(listed);
}

/** What is left of a website that was deleted, beside its figures. */
export type DeletedWebsite = Pick<
  ListedWebsite,
  "websiteKey" | "publisherId" | "publicKey" | "name" | "vertical" | "development" | "createdAt"
> & {
  /** Milliseconds since the epoch. */
  deletedAt: number;
};

/** Every website that was deleted, or one publisher's, in the order in which they were made. */
export async function listDeletedWebsites(
  db: Kysely<Schema>,
  filter: { publisherId?: string } = {},
): Promise<DeletedWebsite[]> {
  let query = websiteRows(db).where("website.archived_at", "is not", null).orderBy("website.id");
  if (filter.publisherId !== undefined) {
    await requirePublisher(db, filter.publisherId);
    query = query.where("website.publisher_id", "=", filter.publisherId);
  }
  return (await query.execute()).map((row) => {
    const { websiteKey, publisherId, publicKey, name, vertical, development, createdAt } = listed(row);
    const deletedAt = row.archived_at ?? 0;
    return { websiteKey, publisherId, publicKey, name, vertical, development, createdAt, deletedAt };
  });
}

/** The key of each website, deleted ones too, by the number that stands for it in events and counters. */
export async function websiteKeysById(db: Kysely<Schema>): Promise<ReadonlyMap<number, WebsiteKey>> {
  const rows = await db.selectFrom("website").select(["id", "key"]).execute();
  return new Map(rows.map(({ id, key }) => [id, websiteKey.parse(key)]));
}

/** One website; throws a CatalogueRefusal when there is none with this key. */
export async function requireWebsite(db: Kysely<Schema>, key: string): Promise<ListedWebsite> {
  return listed(await requireRow(db, key));
}

/** One website, also when it was deleted: what its visits have left is there. Throws a CatalogueRefusal when there was never one. */
export async function requireEverWebsite(db: Kysely<Schema>, key: string): Promise<ListedWebsite> {
  return listed(known(key, await websiteRows(db).where("website.key", "=", key).executeTakeFirst()));
}

/** What an activity says a website is. */
export function websiteSubject(website: { websiteKey: string; publisherId: string; name: string }) {
  const { websiteKey: id, publisherId, name } = website;
  return { publisherId, subject: { kind: "website" as const, id, name } };
}

type WebsiteRow = Selectable<WebsiteTable> & { public_key: string };

const requireRow = async (db: Kysely<Schema>, key: string): Promise<WebsiteRow> => {
  const row = known(key, await websiteRows(db).where("website.key", "=", key).executeTakeFirst());
  if (row.archived_at === null) return row;
  const day = new Date(row.archived_at).toISOString().slice(0, 10);
  throw unknownWebsite(
    `the website ${JSON.stringify(key)} was deleted on ${day}; report, activity and erase still know it`,
  );
};

const known = (key: string, row: WebsiteRow | undefined): WebsiteRow => {
  if (row) return row;
  throw unknownWebsite(`no website has the key ${JSON.stringify(key)}`);
};

const unknownWebsite = (message: string) => new CatalogueRefusal([{ field: "websiteKey", message }]);

const listed = (row: WebsiteRow): ListedWebsite => {
  const { id: _, key, ...website } = websiteOf(row);
  return { ...website, websiteKey: key, createdAt: row.created_at, version: row.changed };
};

/** A form shows it beside the address of the website that is one too many. */
const tooManyProblems = async (
  { db, actor }: CatalogueChange,
  { publisherId }: WebsiteInput,
): Promise<InputProblem[]> => {
  if (actor.kind === "command_line") return [];
  if (actor.kind === "user" && (await findLetIn(db, actor.userId))?.isOperator) return [];
  const { count } = await db
    .selectFrom("website")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("publisher_id", "=", publisherId)
    .where("archived_at", "is", null)
    .executeTakeFirstOrThrow();
  if (Number(count) < mostWebsites) return [];
  const message = `this publisher has ${mostWebsites} websites already: delete one, or ask the operator of the service to make it`;
  return [{ field: "origins", message }];
};

const websiteProblems = (input: WebsiteInput, rules: SavingRules, before: readonly string[] = []) => [
  ...originProblems(input.origins, rules),
  ...geoProblems("geoRule.entries", input.geoRule.entries, rules, before),
  ...lookProblems(input.settings),
];

const lookProblems = ({ accent, theme }: WebsiteInput["settings"]): InputProblem[] => {
  const problem = accent === null ? null : accentProblem(accent, theme);
  return problem === null ? [] : [{ field: "settings.accent", message: `${problem} (given: ${accent})` }];
};

const columnsOf = (input: WebsiteInput) => ({
  name: input.name,
  vertical: input.vertical,
  own_brand: input.ownBrand,
  development: input.development ? (1 as const) : (0 as const),
  origins_json: JSON.stringify(withoutRepeats(input.origins)),
  geo_rule_json: JSON.stringify({ ...input.geoRule, entries: withoutRepeats(input.geoRule.entries) }),
  settings_json: JSON.stringify(withoutEmptyContact(input.settings)),
  floor_micros: input.floor.micros,
  floor_currency: input.floor.currency,
  share_basis_points: input.shareBasisPoints,
  secret_carrier: input.secretCarrier,
});

/** A contact without any member is none: the widget would draw an empty line for it. */
const withoutEmptyContact = (settings: WebsiteInput["settings"]): WebsiteInput["settings"] => ({
  ...settings,
  supportContact:
    settings.supportContact && Object.keys(settings.supportContact).length > 0
      ? settings.supportContact
      : null,
});
