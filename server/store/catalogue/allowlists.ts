import { type Allowlist, allowlist } from "@offers/contract/catalogue";
import type { WebsiteKey } from "@offers/contract/ids";
import type { Kysely } from "kysely";
import { brandKey } from "../../core/brand-key.ts";
import { isEmptyAllowlist } from "../../core/permission.ts";
import { carefulVerticals } from "../../core/vulnerable-verticals.ts";
import type { Schema } from "../schema.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import { type Condition, requireVersion } from "./catalogue-conflict.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { type InputProblem, refuseProblems } from "./catalogue-refusal.ts";
import { withoutRepeats } from "./saving-rules.ts";
import { requireWebsite, websiteSubject } from "./websites.ts";

type NameSet = Allowlist["allow"];

export type ListedAllowlist = Allowlist & {
  websiteKey: WebsiteKey;
  /** Whether it is an allowlist that names nothing, so that its website can show no offer at all. */
  permitsNothing: boolean;
  /** Its website's: the allowlist is a part of that. */
  version: number;
};

export type SavedAllowlist = ListedAllowlist & {
  /** Names that are in no offer now: allowed, since the offer may come later, but perhaps a slip. */
  warnings: string[];
};

/**
 * Replaces a website's allowlist; throws a CatalogueRefusal for an unknown website or unknown offer ids, and a
 * CatalogueConflict, with the website as it is, where the condition does not hold.
 */
export function setAllowlist(
  catalogue: CatalogueHandle,
  key: string,
  input: Allowlist,
  condition: Condition = {},
): Promise<SavedAllowlist> {
  return changeCatalogue(catalogue, async (tx) => {
    const { db } = tx;
    const website = await requireWebsite(db, key);
    await requireVersion(db, condition, website);
    const saved = { mode: input.mode, allow: sorted(input.allow), block: sorted(input.block) };
    refuseProblems(await unknownOffers(db, saved));
    const [before, after] = [{ allowlist: website.allowlist }, { allowlist: saved }];
    const isChanged = await tx.tell({ ...websiteSubject(website), action: "updated", before, after });
    if (isChanged) {
      await db
        .updateTable("website")
        .set({ allowlist_json: JSON.stringify(saved), changed: tx.version })
        .where("key", "=", key)
        .execute();
    }
    return {
      websiteKey: website.websiteKey,
      ...saved,
      permitsNothing: isEmptyAllowlist(saved),
      version: isChanged ? tx.version : website.version,
      warnings: [
        ...(isEmptyAllowlist(saved) ? ["this allowlist is empty: the website can show no offer"] : []),
        ...(await namesOfNoOffer(db, saved)),
      ],
    };
  });
}

/**
 * Gives a new website the allowlist that it has until somebody chooses another: all offers but those of gambling, trading and
 * loans, by every name of a vertical that the catalogue has now (decisions.md#careful-allowlist).
 */
export async function allowCarefully(catalogue: CatalogueHandle, key: string): Promise<SavedAllowlist> {
  const rows = await catalogue.db.selectFrom("offer").select("vertical").distinct().execute();
  const verticals = carefulVerticals(rows.map(({ vertical }) => vertical));
  return setAllowlist(catalogue, key, allowlist.parse({ mode: "all", allow: {}, block: { verticals } }));
}

/** The allowlist of every website, oldest website first, without those that were deleted. */
export async function listAllowlists(db: Kysely<Schema>): Promise<ListedAllowlist[]> {
  const rows = await db
    .selectFrom("website")
    .select(["key", "allowlist_json", "changed"])
    .where("archived_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map((row) => {
    const saved = allowlist.parse(JSON.parse(row.allowlist_json));
    return {
      websiteKey: row.key as WebsiteKey,
      ...saved,
      permitsNothing: isEmptyAllowlist(saved),
      version: row.changed,
    };
  });
}

const sorted = (names: NameSet): NameSet => ({
  brands: withoutRepeats(names.brands).sort(),
  verticals: withoutRepeats(names.verticals).sort(),
  offers: withoutRepeats(names.offers).sort(),
});

/** An offer's id is made here, so an unknown one can only be a slip. */
const unknownOffers = async (db: Kysely<Schema>, { allow, block }: Allowlist): Promise<InputProblem[]> => {
  const wanted = [...allow.offers, ...block.offers];
  if (wanted.length === 0) return [];
  const rows = await db.selectFrom("offer").select("id").execute();
  const known = new Set(rows.map(({ id }) => id));
  const missing = (field: string, ids: readonly string[]) =>
    ids
      .filter((id) => !known.has(id))
      .map((id) => ({ field, message: `no offer has the id ${JSON.stringify(id)}` }));
  return [...missing("allow.offers", allow.offers), ...missing("block.offers", block.offers)];
};

const namesOfNoOffer = async (db: Kysely<Schema>, { allow, block }: Allowlist): Promise<string[]> => {
  const rows = await db.selectFrom("offer").select(["brand", "vertical"]).distinct().execute();
  const brands = new Set(rows.map(({ brand }) => brandKey(brand)));
  const verticals = new Set(rows.map(({ vertical }) => vertical));
  return [
    ...withoutRepeats([...allow.brands, ...block.brands])
      .filter((brand) => !brands.has(brandKey(brand)))
      .map((brand) => `no offer has the brand ${JSON.stringify(brand)} yet`),
    ...withoutRepeats([...allow.verticals, ...block.verticals])
      .filter((vertical) => !verticals.has(vertical))
      .map((vertical) => `no offer has the vertical ${JSON.stringify(vertical)} yet`),
  ];
};
