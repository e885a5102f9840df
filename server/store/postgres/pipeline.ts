import type pg from "pg";
import { type Copy, CopyQuery } from "./copy-rows.ts";

/** A statement that the connection prepares once, under its name, and then only names. */
export type Statement = { name: string; text: string; values: unknown[] };

type Sent = {
  /** One for each statement; undefined for those that failed. */
  results: (pg.QueryResult | undefined)[];
  /** The first that failed and why: those behind it fail because of it. */
  failed: { at: number; error: unknown } | null;
};

/** Sends statements one behind another, without waiting for answers in between, and waits for all of them. */
export async function sendAll(
  client: pg.Client,
  statements: readonly (Statement | Copy | string)[],
): Promise<Sent> {
  const settled = await Promise.allSettled(statements.map((statement) => query(client, statement)));
  const at = settled.findIndex(({ status }) => status === "rejected");
  const first = settled[at];
  return {
    results: settled.map((sent) => (sent.status === "fulfilled" ? sent.value : undefined)),
    failed: first?.status === "rejected" ? { at, error: first.reason } : null,
  };
}

/** The rows of one statement's answer. */
export async function ask<Row extends object>(client: pg.Client, statement: Statement): Promise<Row[]> {
  const { results, failed } = await sendAll(client, [statement]);
  if (failed !== null) throw failed.error;
  return (results[0]?.rows ?? []) as Row[];
}

const query = (client: pg.Client, statement: Statement | Copy | string): Promise<pg.QueryResult> => {
  if (typeof statement === "string") return client.query(statement);
  if ("text" in statement) return client.query(statement);
  return new Promise((resolve, reject) => {
    client.query(new CopyQuery(statement, (error, result) => (error ? reject(error) : resolve(result))));
  });
};

/** The value of a parameter that a statement reads as the rows of a table: `json_to_recordset($1::json)`. */
export function jsonRows(rows: readonly object[]): string {
  return JSON.stringify(rows);
}

/** Bytes as a value of `jsonRows` that a statement reads as bytea. */
export function jsonBytes(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}
