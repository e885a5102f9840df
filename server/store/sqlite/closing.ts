import type { Database as Sqlite } from "better-sqlite3";
import { createCounterFold } from "../../core/counter-fold.ts";
import { factTypes } from "../../core/fact.ts";
import type { BilledEvent } from "../../core/price.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { Fact } from "../journal/recording.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import { prepareCells } from "./cells.ts";
import { prepareAddingLines } from "./detail.ts";
import { prepareFactRows } from "./fact-rows.ts";

/**
 * Prepares what deletes facts, inside the caller's transaction, and keeps what they had added to the counters and what
 * they had billed: counters, balances and ledger stay as they are, and a recount and an audit find them right. The
 * ledger's lines stay, and forget for which request they were. Never on the connection of a batch writer, which would
 * go on remembering them.
 */
export function prepareClosing(sqlite: Sqlite): (facts: readonly Fact[]) => void {
  const settle = prepareAddingLines(sqlite, "closed_detail", prepareCells(sqlite));
  // Exact for the reason that budgets.ts gives: it is a part of what one offer has spent.
  const addBill = sqlite.prepare(
    `insert into closed_bill (cell, day, offer, type, events, billed_micros, earned_micros) values (?, ?, ?, ?, 1, ?, ?)
     on conflict (cell, day, offer, type) do update set events = events + 1,
       billed_micros = billed_micros + excluded.billed_micros, earned_micros = earned_micros + excluded.earned_micros`,
  );
  const forgetRequest = sqlite.prepare(
    "update ledger_line set request = null where request = +? and offer = +? and kind = +?",
  );
  const { remove } = prepareFactRows(sqlite);
  return (facts) => {
    const fold = createCounterFold();
    for (const fact of facts) {
      fold.add(fact, 1);
      const { cell, at, offer, type, billedMicros, earnedMicros } = fact;
      if (billedMicros !== null) {
        addBill.run(cell, dayNumber(at), offer, type, billedMicros, earnedMicros);
        forgetRequest.run(bytesOf(fact.request), offer, kindOf(fact));
      }
      remove(fact);
    }
    settle(fold.sums());
  };
}

/** As the ledger calls it. */
const kindOf = ({ type }: Fact): BilledEvent => (type === factTypes.click ? "click" : "impression");
