import type { Database as Sqlite } from "better-sqlite3";
import { createCounterFold } from "../../core/counter-fold.ts";
import type { Whole } from "../../core/exact-sum.ts";
import { factTypes } from "../../core/fact.ts";
import { figureColumns } from "../../core/figures.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { Fact } from "../journal/recording.ts";
import { type ClosedBillTable, closedKeys } from "../schema.ts";
import { prepareFactRows } from "./fact-rows.ts";
import { bytesOf } from "./row-bytes.ts";

/**
 * Prepares what deletes facts, inside the caller's transaction, and keeps what they had added to the counters and what
 * they had billed: counters, balances and ledger stay as they are, and a recount and an audit find them right. The
 * ledger's lines stay, and forget for which request they were. Never on the connection of a batch writer, which would
 * go on remembering them.
 */
export function prepareClosing(sqlite: Sqlite): (facts: readonly Fact[]) => void {
  const addSum = prepareAdding(sqlite, "closed_sum", figureColumns);
  const addBill = prepareAdding(sqlite, "closed_bill", billed);
  const forgetRequest = sqlite.prepare(
    "update ledger_line set request = null where request = +? and offer = +? and kind = +?",
  );
  const { remove } = prepareFactRows(sqlite);
  return (facts) => {
    const fold = createCounterFold();
    for (const fact of facts) {
      fold.add(fact, 1);
      const bill = billOf(fact);
      if (bill !== null) {
        addBill(
          closedKeys.closed_bill.map((column) => bill[column]),
          billed.map((column) => bill[column]),
        );
        forgetRequest.run(bytesOf(fact.request), fact.offer, kindOf(fact));
      }
      remove(fact);
    }
    for (const sum of fold.sums()) {
      if (sum.figures.every((figure) => figure === 0)) continue;
      addSum(
        closedKeys.closed_sum.map((column) => sum[column]),
        sum.figures,
      );
    }
  };
}

const billed = ["events", "billed_micros"] as const;

const billOf = ({ cell, at, offer, type, billedMicros }: Fact): ClosedBillTable | null =>
  billedMicros === null
    ? null
    : { cell, day: dayNumber(at), offer, type, events: 1, billed_micros: billedMicros };

/** As the ledger calls it. */
const kindOf = ({ type }: Fact): "click" | "impression" =>
  type === factTypes.click ? "click" : "impression";

/** Prepares what adds to a row's sums, which is made where it is not there. */
const prepareAdding = (
  sqlite: Sqlite,
  table: keyof typeof closedKeys,
  sums: readonly string[],
): ((key: readonly number[], added: readonly Whole[]) => void) => {
  const key = closedKeys[table];
  const columns = [...key, ...sums];
  const add = sqlite.prepare(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})
     on conflict (${key.join(", ")}) do update
       set ${sums.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`,
  );
  return (of, added) => void add.run(...of, ...added);
};
