import { createCounterFold } from "../../core/counter-fold.ts";
import { type FactType, factTypes } from "../../core/fact.ts";
import type { BilledEvent } from "../../core/price.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { advisoryLocks } from "../advisory-locks.ts";
import type { Fact } from "../journal/recording.ts";
import { type FactRow, factColumns, factOfRow } from "../rows/fact-row.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import { addToDetail, type WebsitesOfCells } from "./detail.ts";
import { type Client, transact } from "./transaction.ts";

/**
 * Deletes the facts that `where` finds by `values`, `most` at the most and the oldest first, in one transaction, and keeps what
 * they had added to the counters and what they had billed: counters, balances and ledger stay as they are, and a recount
 * and an audit find them right. The ledger's lines stay, and forget for which request they were. Resolves with how many
 * facts went.
 */
export async function closeFacts(
  client: Client,
  { where, values, most }: { where: string; values: readonly unknown[]; most: number },
  websites: WebsitesOfCells,
): Promise<number> {
  return transact(client, async () => {
    await client.query("select pg_advisory_xact_lock($1)", [advisoryLocks.deleting]);
    // A writer that changes one of them afterwards finds that it has gone, and decides again.
    const { rows } = await client.query<FactRow>(
      `select ${factColumns.join(", ")} from fact where ${where}
       order by request, offer, type, seq limit $${values.length + 1} for update`,
      [...values, most],
    );
    await close(client, rows.map(factOfRow), websites);
    return rows.length;
  });
}

const close = async (client: Client, facts: readonly Fact[], websites: WebsitesOfCells): Promise<void> => {
  if (facts.length === 0) return;
  const fold = createCounterFold();
  for (const fact of facts) fold.add(fact, 1);
  await addToDetail(client, "closed_detail", fold.sums(), websites);
  const billed = facts.filter(({ billedMicros }) => billedMicros !== null);
  if (billed.length > 0) {
    await addBills(client, billed);
    await client.query(
      `update ledger_line set request = null
       from unnest($1::bytea[], $2::bigint[], $3::text[]) as closed (request, offer, kind)
       where ledger_line.request = closed.request and ledger_line.offer = closed.offer and ledger_line.kind = closed.kind`,
      [billed.map(requestOf), billed.map(({ offer }) => offer), billed.map(kindOf)],
    );
  }
  await client.query(
    `delete from fact using unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[]) as closed (request, offer, type, seq)
     where fact.request = closed.request and fact.offer = closed.offer and fact.type = closed.type and fact.seq = closed.seq`,
    [
      facts.map(requestOf),
      facts.map(({ offer }) => offer),
      facts.map(({ type }) => type),
      facts.map(({ seq }) => seq),
    ],
  );
};

type Bill = {
  cell: number;
  day: number;
  offer: number;
  type: FactType;
  events: number;
  billed: number;
  earned: number;
};

const addBills = async (client: Client, facts: readonly Fact[]): Promise<void> => {
  const bills = new Map<string, Bill>();
  for (const { cell, at, offer, type, billedMicros, earnedMicros } of facts) {
    const day = dayNumber(at);
    const key = `${cell} ${day} ${offer} ${type}`;
    const bill = bills.get(key) ?? { cell, day, offer, type, events: 0, billed: 0, earned: 0 };
    bill.events += 1;
    bill.billed += billedMicros ?? 0;
    bill.earned += earnedMicros ?? 0;
    bills.set(key, bill);
  }
  await client.query(
    `insert into closed_bill as kept (cell, day, offer, type, events, billed_micros, earned_micros)
       select * from json_to_recordset($1::json)
         as added (cell bigint, day bigint, offer bigint, type bigint, events bigint, billed bigint, earned bigint)
     on conflict (cell, day, offer, type) do update set events = kept.events + excluded.events,
       billed_micros = kept.billed_micros + excluded.billed_micros,
       earned_micros = kept.earned_micros + excluded.earned_micros`,
    [JSON.stringify([...bills.values()])],
  );
};

const requestOf = ({ request }: Fact): Buffer => bytesOf(request);

/** As the ledger calls it. */
const kindOf = ({ type }: Fact): BilledEvent => (type === factTypes.click ? "click" : "impression");
