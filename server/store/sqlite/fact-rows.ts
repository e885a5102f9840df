import type { Database as Sqlite } from "better-sqlite3";
import { type FactKey, factTypes } from "../../core/fact.ts";
import type { Fact, FactRows } from "../journal/recording.ts";
import {
  type AnswerRow,
  answerOfRow,
  type FactRow,
  factColumns,
  factKeyColumns,
  factOfRow,
  factValues,
} from "../rows/fact-row.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import { prepareSparseInsert } from "./sparse-insert.ts";

/** Prepares what reads the first `most` facts of a request, in the order of their keys. */
export function prepareReadAll(sqlite: Sqlite): (request: string, most: number) => Fact[] {
  const read = sqlite.prepare<[Uint8Array, number], FactRow>(
    `select ${factColumns.join(", ")} from fact where request = +? limit +?`,
  );
  return (request, most) => read.all(bytesOf(request), most).map(factOfRow);
}

/** So many facts are held in memory when all are read. */
const factsInPage = 5000;

/** Prepares what reads every fact, page by page in the order of their keys. */
export function prepareReadEvery(sqlite: Sqlite): () => Generator<Fact[]> {
  const key = factColumns.slice(-factKeyColumns).join(", ");
  const first = sqlite.prepare<[], FactRow>(
    `select ${factColumns.join(", ")} from fact order by ${key} limit ${factsInPage}`,
  );
  const next = sqlite.prepare<[Uint8Array, number, number, number], FactRow>(
    `select ${factColumns.join(", ")} from fact where (${key}) > (?, ?, ?, ?) order by ${key} limit ${factsInPage}`,
  );
  return function* () {
    let rows = first.all();
    for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
      yield rows.map(factOfRow);
      rows = next.all(last.request, last.offer, last.type, last.seq);
    }
  };
}

/** Prepares what reads the oldest facts, `most` at the most, of requests whose keys are below the given bytes. */
export function prepareReadOldest(sqlite: Sqlite): (below: Uint8Array, most: number) => Fact[] {
  const read = sqlite.prepare<[Uint8Array, number], FactRow>(
    `select ${factColumns.join(", ")} from fact where request < +?
     order by ${factColumns.slice(-factKeyColumns).join(", ")} limit +?`,
  );
  return (below, most) => read.all(below, most).map(factOfRow);
}

/** Prepares the statements on facts; each runs inside the caller's transaction. */
export function prepareFactRows(sqlite: Sqlite): FactRows {
  const { impression, click, blocked, served, drawn, noted } = factTypes;
  const insert = prepareSparseInsert(sqlite, {
    table: "fact",
    columns: factColumns,
    empty: null,
    behind: () => "on conflict do nothing",
  });
  const setters = factColumns.slice(0, -factKeyColumns).map((column) => `${column} = ?`);
  const byKey = "request = +? and offer = +? and type = +? and seq = +?";
  const replace = sqlite.prepare(`update fact set ${setters.join(", ")} where ${byKey}`);
  const remove = sqlite.prepare(`delete from fact where ${byKey}`);
  const firstOf = sqlite.prepare<[Uint8Array, number], FactRow>(
    `select ${factColumns.join(", ")} from fact
     where request = +? and offer = +? and type in (${impression}, ${click}) and seq = 0`,
  );
  const answersOf = sqlite.prepare<[Uint8Array], AnswerRow>(
    `select type, seq, at, reason, offers, browser from fact
     where request = +? and offer = 0 and type in (${blocked}, ${served}, ${drawn}, ${noted})`,
  );
  const lastSeq = sqlite
    .prepare<[Uint8Array, number, number], number>(
      "select seq from fact where request = +? and offer = +? and type = +? order by seq desc limit 1",
    )
    .pluck();
  return {
    insert: (fact) => insert(factValues(fact)).changes === 1,
    replace: (fact) => void replace.run(...factValues(fact)),
    remove: ({ request, offer, type, seq }: FactKey) => void remove.run(bytesOf(request), offer, type, seq),
    firstOf: (request, offer) => {
      const rows = firstOf.all(bytesOf(request), offer);
      const of = (type: Fact["type"]) => {
        const row = rows.find((found) => found.type === type);
        return row === undefined ? null : factOfRow(row);
      };
      return { impression: of(impression), click: of(click) };
    },
    answersOf: (request) => answersOf.all(bytesOf(request)).map(answerOfRow),
    nextSeq: ({ request, offer, type }) => (lastSeq.get(bytesOf(request), offer, type) ?? 0) + 1,
  };
}
