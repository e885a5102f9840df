import { jsonBytes, jsonRows, type Statement } from "./pipeline.ts";

type Value = string | number | bigint | Uint8Array | null;

/** One row as `rowsOf` takes it. */
export type Row = Readonly<Record<string, Value>>;

/** A table that a batch writes: its columns with their types, the key first. */
export type Written = { table: string; columns: Readonly<Record<string, string>>; keyLength: number };

/**
 * The parameter of a statement that writes these rows, in the order of their keys: whoever writes the same rows waits for the
 * first of them and not for each other. A zero in one of the columns `zeroes` is left out, as null is.
 */
export function rowsOf(
  { columns, keyLength }: Written,
  rows: readonly Row[],
  zeroes: readonly string[] = [],
): string {
  const key = Object.keys(columns).slice(0, keyLength);
  return jsonRows((rows.length > 1 ? rows.toSorted(inOrderOf(key)) : rows).map((row) => plain(row, zeroes)));
}

/** What the statement reads the parameter as: a table `v`. */
export function recordset(columns: Readonly<Record<string, string>>, parameter = "$1"): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `json_to_recordset(${parameter}::json) v(${typed.join(", ")})`;
}

/**
 * Adds the `sums` to rows, which are made where there are none; `latest` columns are replaced by what is written. Most figures
 * of a row are zeroes: these are left out on the way, for reading a name and a number takes the server longer than adding them.
 */
export function addSums(
  written: Written,
  rows: readonly Row[],
  { sums, latest = [] }: { sums: readonly string[]; latest?: readonly string[] },
): Statement[] {
  if (rows.length === 0) return [];
  const { table, columns, keyLength } = written;
  const names = Object.keys(columns);
  const key = names.slice(0, keyLength).join(", ");
  const set = [
    ...sums.map((column) => `${column} = ${table}.${column} + excluded.${column}`),
    ...latest.map((column) => `${column} = excluded.${column}`),
  ];
  const values = names.map((name) => (sums.includes(name) ? `coalesce(v.${name}, 0)` : `v.${name}`));
  const text = `insert into ${table} (${names.join(", ")}) select ${values.join(", ")}
    from ${recordset(columns)} on conflict (${key}) do ${set.length > 0 ? `update set ${set.join(", ")}` : "nothing"}`;
  return [{ name: `add_${table}`, text, values: [rowsOf(written, rows, sums)] }];
}

/**
 * A statement that fails (22012) unless it writes so many rows: that undoes the whole transaction. Not `else 1 / 0`, which the
 * planner works out beforehand and fails by every time.
 */
export function guarded(name: string, change: string, rows: string, count: number): Statement {
  return {
    name,
    text: `with done as (${change} returning 1)
      select 1 / (case when count(*) = $2::bigint then 1 else 0 end) from done`,
    values: [rows, count],
  };
}

const plain = (row: Row, zeroes: readonly string[]): object => {
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(row)) {
    // What is left out is read as null.
    if (value === null || (value === 0 && zeroes.includes(name))) continue;
    if (typeof value === "bigint") values[name] = String(value);
    else values[name] = typeof value === "object" ? jsonBytes(value) : value;
  }
  return values;
};

const inOrderOf =
  (key: readonly string[]) =>
  (one: Row, other: Row): number => {
    for (const name of key) {
      const [a, b] = [one[name] ?? 0, other[name] ?? 0];
      if (typeof a === "object" && typeof b === "object") {
        const order = Buffer.compare(a, b);
        if (order !== 0) return order;
      } else if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  };
