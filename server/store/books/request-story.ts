import type { OfferId } from "@offers/contract/ids";
import type { Kysely, Selectable } from "kysely";
import { type FactKey, factTypes, momentAfter, mostRepetitions } from "../../core/fact.ts";
import { placementOf, unpackOffers } from "../../core/handed-offers.ts";
import { requestTimeBytes } from "../../core/request-key.ts";
import type { AskedRequest, RequestStory, StoryFact, StoryPlace } from "../../core/request-story.ts";
import type { Suppression } from "../../core/suppression.ts";
import { atOneMoment } from "../dialects.ts";
import type { FactTable, Schema } from "../schema.ts";

/** More is what somebody plays with. */
const mostFacts = 500;

/**
 * Reads what is stored of a request, all at one moment; null when the event or the click that was asked for is not there, or
 * nothing is that the request's key alone names. Of very many facts those come first that can count, and always the one
 * that was asked for.
 */
export function readRequestStory(db: Kysely<Schema>, asked: AskedRequest): Promise<RequestStory | null> {
  return atOneMoment(db, async (tx) => {
    const found = await find(tx, asked);
    if (found === null) return null;
    const { request, key } = found;
    const rows = await readRows(tx, request, key);
    const sealed = asked.by === "request" ? asked : null;
    const [first] = rows;
    if (first === undefined && sealed === null) return null;
    const place = first === undefined ? null : placeOf(first);
    const facts = rows.map(factOf).sort(byTime);
    const websiteId = sealed?.websiteId ?? place?.websiteId ?? 0;
    const decision =
      sealed?.catalogue ?? facts.find(({ catalogue }) => catalogue !== null)?.catalogue ?? null;
    const answer = facts.findLast(({ catalogue }) => catalogue !== null)?.catalogue ?? decision;
    return {
      request,
      place,
      facts,
      hasMore: (await countRows(tx, request)) > rows.length,
      asked: key,
      offerIds: await readOfferIds(tx, facts),
      suppression:
        sealed === null && place?.surface === "decline" ? await readSuppression(tx, request) : undefined,
      changed:
        decision === null || answer === null ? null : await readChanges(tx, { websiteId, decision, answer }),
    };
  });
}

/** What can count is numbered 0, and its repetitions from 1 on. */
const readRows = async (db: Kysely<Schema>, request: string, asked: FactKey | null) => {
  const ofRequest = db
    .selectFrom("fact")
    .innerJoin("cell", "cell.id", "fact.cell")
    .selectAll("fact")
    .select(["cell.website_id", "cell.country", "cell.region", "cell.surface", "cell.test", "cell.device"])
    .where("request", "=", bytesOf(request));
  const rows = await ofRequest
    .where((eb) => eb.or([eb("type", "<>", factTypes.repeatedAnswer), eb("seq", "<=", mostRepetitions)]))
    .orderBy("seq")
    .orderBy("offer")
    .orderBy("type")
    .limit(mostFacts)
    .execute();
  const isAsked = ({ offer, type, seq }: Omit<FactKey, "request">) =>
    offer === asked?.offer && type === asked.type && seq === asked.seq;
  if (asked === null || rows.some(isAsked)) return rows;
  const { offer, type, seq } = asked;
  const row = await ofRequest
    .where("offer", "=", offer)
    .where("type", "=", type)
    .where("seq", "=", seq)
    .executeTakeFirstOrThrow();
  return [...rows, row];
};

const countRows = async (db: Kysely<Schema>, request: string): Promise<number> => {
  const { rows } = await db
    .selectFrom("fact")
    .select((eb) => eb.fn.countAll<number>().as("rows"))
    .where("request", "=", bytesOf(request))
    .executeTakeFirstOrThrow();
  return rows;
};

/** The request, and the key of the fact that was asked for, which is there. */
const find = async (
  db: Kysely<Schema>,
  asked: AskedRequest,
): Promise<{ request: string; key: FactKey | null } | null> => {
  switch (asked.by) {
    case "request":
      return { request: asked.request, key: null };
    case "event": {
      const { request, offer, type, seq } = asked.key;
      const row = await db
        .selectFrom("fact")
        .select("at")
        .where("request", "=", bytesOf(request))
        .where("offer", "=", offer)
        .where("type", "=", type)
        .where("seq", "=", seq)
        .executeTakeFirst();
      return row === undefined ? null : { request, key: asked.key };
    }
    case "click":
      return findClick(db, asked.clickId);
    default:
      return asked satisfies never;
  }
};

/** A click's id begins with the time of its request, and so do the keys of the facts: few requests share a millisecond. */
const findClick = async (db: Kysely<Schema>, clickId: string) => {
  const bytes = bytesOf(clickId);
  const from = bytes.subarray(0, requestTimeBytes);
  // Behind every key that begins so.
  const to = Buffer.concat([from, Buffer.alloc(bytes.length, 0xff)]);
  const row = await db
    .selectFrom("fact")
    .select(["request", "offer", "type", "seq"])
    .where("request", ">=", from)
    .where("request", "<", to)
    .where("click_id", "=", bytes)
    .where("type", "=", factTypes.click)
    .orderBy("seq")
    .executeTakeFirst();
  if (row === undefined) return null;
  const request = textOf(row.request);
  return { request, key: { ...row, request } };
};

type Row = Selectable<FactTable>;

const factOf = (row: Row): StoryFact => ({
  request: textOf(row.request),
  offer: row.offer,
  type: row.type,
  seq: row.seq,
  at: row.at,
  reason: row.reason,
  overruled: row.overruled,
  mark: row.mark,
  placement: placementOf(row.placement ?? 0),
  position: row.position,
  billedMicros: row.billed_micros,
  earnedMicros: row.earned_micros,
  beaconAt: momentAfter(row.at, row.beacon_after),
  hopAt: momentAfter(row.at, row.hop_after),
  offers: row.offers && unpackOffers(row.offers),
  rates: row.rates,
  catalogue: row.catalogue,
  geoSource: row.geo_source,
});

const placeOf = (row: {
  website_id: number;
  country: string;
  region: string;
  surface: StoryPlace["surface"];
  test: number;
  device: number;
}): StoryPlace => ({
  websiteId: row.website_id,
  country: row.country,
  region: row.region,
  surface: row.surface,
  test: row.test === 1,
  device: row.device,
});

const byTime = (one: StoryFact, other: StoryFact): number =>
  one.at - other.at || one.type - other.type || one.seq - other.seq;

const readOfferIds = async (
  db: Kysely<Schema>,
  facts: readonly StoryFact[],
): Promise<Map<number, OfferId>> => {
  const numbers = new Set(
    facts.flatMap(({ offer, offers }) => [offer, ...(offers ?? []).map((one) => one.offer)]),
  );
  if (numbers.size === 0) return new Map();
  const rows = await db
    .selectFrom("offer")
    .select(["number", "id"])
    .where("number", "in", [...numbers])
    .execute();
  return new Map(rows.map(({ number, id }) => [number, id as OfferId]));
};

/** Sessions are kept for little more than an hour, so there are few to look through. */
const readSuppression = async (
  db: Kysely<Schema>,
  request: string,
): Promise<Suppression | null | undefined> => {
  const row = await db
    .selectFrom("decline_session")
    .select("suppression_json")
    .where("request", "=", bytesOf(request))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return row.suppression_json === null ? null : JSON.parse(row.suppression_json);
};

const readChanges = async (
  db: Kysely<Schema>,
  { websiteId, decision, answer }: { websiteId: number; decision: number; answer: number },
): Promise<{ website: boolean; offers: number }> => {
  const website = await db
    .selectFrom("website")
    .select("changed")
    .where("id", "=", websiteId)
    .executeTakeFirst();
  const { offers } = await db
    .selectFrom("offer")
    .select((eb) => eb.fn.countAll<number>().as("offers"))
    .where("changed", ">", answer)
    .executeTakeFirstOrThrow();
  return { website: (website?.changed ?? 0) > decision, offers };
};

const bytesOf = (base64url: string): Buffer => Buffer.from(base64url, "base64url");
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
