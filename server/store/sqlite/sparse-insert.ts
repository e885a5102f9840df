import type { RunResult, Database as Sqlite, Statement } from "better-sqlite3";

/**
 * Prepares inserts of rows most of whose columns hold the same empty value. What is empty stands in the statement's text, of
 * which there is one for each set of columns that are not: to bind a value costs as much as to store it, and of a fact's columns
 * one in three has one. Rows come in some twenty such sets.
 * @param into the table, its columns in the order in which a row's values come, and what follows the values where these columns
 * are not empty.
 */
export function prepareSparseInsert<Empty extends null | 0>(
  sqlite: Sqlite,
  {
    table,
    columns,
    empty,
    behind = () => "",
  }: {
    table: string;
    columns: readonly string[];
    empty: Empty;
    behind?: (given: readonly string[]) => string;
  },
): (values: readonly (string | number | bigint | Uint8Array | Empty)[]) => RunResult {
  const statements = new Map<number, Statement>();
  const prepare = (given: number): Statement => {
    const values = columns.map((_, at) => (has(given, at) ? "?" : String(empty)));
    const follows = behind(columns.filter((_, at) => has(given, at)));
    return sqlite.prepare(
      `insert into ${table} (${columns.join(", ")}) values (${values.join(", ")}) ${follows}`.trimEnd(),
    );
  };
  return (values) => {
    let given = 0;
    const bound: (string | number | bigint | Uint8Array)[] = [];
    for (let at = 0; at < columns.length; at += 1) {
      const value = values[at];
      if (value === undefined) throw new RangeError(`${table} has no value for ${columns[at]}`);
      if (value === null || value === empty) continue;
      given += 2 ** at;
      bound.push(value);
    }
    let statement = statements.get(given);
    if (statement === undefined) {
      statement = prepare(given);
      statements.set(given, statement);
    }
    return statement.run(...bound);
  };
}

/** Whether a set of columns, a number that has their bits, has the one at this place. */
const has = (given: number, at: number): boolean => Math.floor(given / 2 ** at) % 2 === 1;
