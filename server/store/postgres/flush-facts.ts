import type { Fact } from "../journal/recording.ts";
import type { BillLine, SpendDelta } from "../rows/budgets.ts";
import { factColumns, factValues } from "../rows/fact-row.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import { type Copy, copyOf } from "./copy-rows.ts";
import { guarded, type Row, recordset, rowsOf, type Written } from "./flush-statements.ts";
import type { FactChanges } from "./overlay-facts.ts";
import { jsonBytes, jsonRows, type Statement } from "./pipeline.ts";

const spend: Written = {
  table: "spend",
  columns: { subject: "text", day: "bigint", spent_micros: "bigint", billed_clicks: "bigint" },
  keyLength: 2,
};

const ledgerLine: Written = {
  table: "ledger_line",
  columns: {
    request: "bytea",
    offer: "bigint",
    kind: "text",
    at: "bigint",
    day: "bigint",
    advertiser: "bigint",
    micros: "bigint",
    currency: "text",
    website: "bigint",
    earned_micros: "bigint",
  },
  keyLength: 3,
};

/** What a batch has billed: sums upon spends, which it has locked, and the lines that say of what they are made. */
export function flushMoney(charged: readonly SpendDelta[], lines: readonly BillLine[]): Statement[] {
  if (charged.length === 0) return [];
  const spends = charged.map(({ subject, day, micros, clicks }) => ({
    ...{ subject, day, spent_micros: micros, billed_clicks: clicks },
  }));
  const names = Object.keys(ledgerLine.columns);
  return [
    guarded(
      "add_spends",
      `update spend s set spent_micros = s.spent_micros + v.spent_micros,
         billed_clicks = s.billed_clicks + v.billed_clicks
       from ${recordset(spend.columns)} where s.subject = v.subject and s.day = v.day`,
      rowsOf(spend, spends),
      spends.length,
    ),
    {
      name: "insert_lines",
      text: `insert into ledger_line (${names.join(", ")})
        select ${names.map((name) => `v.${name}`).join(", ")} from ${recordset(ledgerLine.columns)}`,
      values: [
        rowsOf(
          ledgerLine,
          lines.map((line): Row => ({ ...line, request: bytesOf(line.request) })),
        ),
      ],
    },
  ];
}

const byteColumns: readonly string[] = ["request", "click_id", "offers"];
const textColumns: readonly string[] = ["reason", "overruled", "mark", "hints"];
const typeOf = (column: string): string =>
  byteColumns.includes(column) ? "bytea" : textColumns.includes(column) ? "text" : "bigint";
const factTypesOf = Object.fromEntries(factColumns.map((column) => [column, typeOf(column)]));
const keyTypes = { request: "bytea", offer: "bigint", type: "bigint", seq: "bigint" };
const version = { version: "xid" };
const isSameRow = `f.request = v.request and f.offer = v.offer and f.type = v.type and f.seq = v.seq
  and f.xmin = v.version`;

/**
 * What a batch does to facts: only where nobody else has changed or written any of them since they were read, else all of it
 * fails.
 */
export function flushFacts({ inserted, replaced, removed }: FactChanges): (Statement | Copy)[] {
  const statements: (Statement | Copy)[] = [];
  if (replaced.length > 0) {
    const set = factColumns
      .filter((column) => !(column in keyTypes))
      .map((column) => `${column} = v.${column}`);
    statements.push(
      guarded(
        "replace_facts",
        `update fact f set ${set.join(", ")} from ${recordset({ ...version, ...factTypesOf })} where ${isSameRow}`,
        jsonRows(replaced.map(({ fact, version }) => ({ version, ...rowOf(fact) }))),
        replaced.length,
      ),
    );
  }
  if (removed.length > 0) {
    const keys = removed.map(({ key, version }) => ({
      version,
      ...key,
      request: jsonBytes(bytesOf(key.request)),
    }));
    statements.push(
      guarded(
        "remove_facts",
        `delete from fact f using ${recordset({ ...version, ...keyTypes })} where ${isSameRow}`,
        jsonRows(keys),
        removed.length,
      ),
    );
  }
  if (inserted.length > 0) {
    // Whoever has written one of them since they were looked for makes it fail.
    statements.push(copyOf("fact", factColumns, inserted.map(factValues)));
  }
  return statements;
}

const rowOf = (fact: Fact): object => {
  const row: Record<string, string | number> = {};
  const values = factValues(fact);
  for (let at = 0; at < factColumns.length; at += 1) {
    const value = values[at];
    const column = factColumns[at];
    // What is left out is read as null.
    if (value == null || column === undefined) continue;
    row[column] = typeof value === "object" ? jsonBytes(value) : value;
  }
  return row;
};
