import type pg from "pg";
import { type FactType, factTypes } from "../../core/fact.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import type { AnswerFact } from "../journal/recording.ts";
import { type AnswerRow, answerOfRow, type FactRow, factColumns } from "../rows/fact-row.ts";
import { bytesOf, textOf } from "../rows/row-bytes.ts";
import { sendAll } from "./pipeline.ts";
import { type StoredFact, storedOf } from "./read-rows.ts";

/** What was read of a request that has too many facts to read all of them. */
export type RequestParts = {
  answers: AnswerFact[];
  /** By offer, of those that were asked for. */
  firsts: Map<number, StoredFact[]>;
  /** The greatest `seq` by `partKey`, of what was asked for; 0 where there is no fact, or the first alone. */
  lastSeqs: Map<string, number>;
};

export function partKey(offer: number, type: FactType): string {
  return `${offer} ${type}`;
}

const { impression, click, blocked, served, drawn, noted, repeatedAnswer } = factTypes;

/** Reads of each of these requests what the entries may ask for, within the batch's transaction. */
export async function readParts(
  client: pg.Client,
  requests: ReadonlySet<string>,
  entries: readonly JournalEntry[],
): Promise<Map<string, RequestParts>> {
  const parts = new Map<string, RequestParts>();
  if (requests.size === 0) return parts;
  for (const request of requests) {
    const none = { answers: [], firsts: new Map(), lastSeqs: new Map() };
    // A trigger's visit has no entry that names its request.
    for (const type of [blocked, repeatedAnswer]) none.lastSeqs.set(partKey(0, type), 0);
    parts.set(request, none);
  }
  const asked = [...requests].flatMap((request) =>
    [blocked, repeatedAnswer].map((type): { request: string; offer: number; type: FactType } => ({
      ...{ request, offer: 0, type },
    })),
  );
  for (const entry of entries) {
    const offer = offerOf(entry);
    if (offer === null || !("visit" in entry)) continue;
    const part = parts.get(entry.visit.request);
    if (part === undefined || part.firsts.has(offer)) continue;
    part.firsts.set(offer, []);
    for (const type of [impression, click]) {
      part.lastSeqs.set(partKey(offer, type), 0);
      asked.push({ request: entry.visit.request, offer, type });
    }
  }
  const keys = [
    asked.map(({ request }) => bytesOf(request)),
    asked.map(({ offer }) => offer),
    asked.map(({ type }) => type),
  ];
  const columns = [...factColumns, "xmin::text as version"].join(", ");
  const { results, failed } = await sendAll(client, [
    {
      name: "read_answers_of_request",
      text: `select f.* from unnest($1::bytea[]) k(request) cross join lateral
        (select request, type, seq, at, reason, offers, browser from fact
         where request = k.request and offer = 0 and type in (${blocked}, ${served}, ${drawn}, ${noted}) offset 0) f`,
      values: [[...requests].map(bytesOf)],
    },
    {
      name: "read_first_facts",
      text: `select f.* from unnest($1::bytea[], $2::bigint[], $3::bigint[]) k(request, offer, type)
        cross join lateral (select ${columns} from fact
          where request = k.request and offer = k.offer and type = k.type and seq = 0 offset 0) f`,
      values: keys,
    },
    {
      name: "read_last_seqs",
      text: `select f.* from unnest($1::bytea[], $2::bigint[], $3::bigint[]) k(request, offer, type)
        cross join lateral (select request, offer, type, seq from fact
          where request = k.request and offer = k.offer and type = k.type order by seq desc limit 1) f`,
      values: keys,
    },
  ]);
  if (failed !== null) throw failed.error;
  const [answers, firsts, lastSeqs] = results.map((result) => result?.rows ?? []);
  for (const row of (answers ?? []) as (AnswerRow & { request: Uint8Array })[]) {
    parts.get(textOf(row.request))?.answers.push(answerOfRow(row));
  }
  for (const row of (firsts ?? []) as (FactRow & { version: string })[]) {
    parts.get(textOf(row.request))?.firsts.get(row.offer)?.push(storedOf(row));
  }
  for (const row of (lastSeqs ?? []) as FactRow[]) {
    parts.get(textOf(row.request))?.lastSeqs.set(partKey(row.offer, row.type), row.seq);
  }
  return parts;
}

/** The offer of whose first events an entry may be one. */
const offerOf = (entry: JournalEntry): number | null => {
  switch (entry.kind) {
    case "impression":
    case "click_beacon":
    case "click_hop":
      return entry.offer;
    case "server_event":
      return entry.offer.offer;
    default:
      return null;
  }
};
