import { tmpdir } from "node:os";
import { Kysely, SqliteDialect } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { readLedger } from "../books/advertiser-account.ts";
import type { Schema } from "../schema.ts";
import { newCatalogueFile } from "./file-for-tests.ts";

test("deposits and adjustments are found among as many bills as there are, without reading those", async () => {
  const catalogue = await newCatalogueFile(tmpdir());
  onTestFinished(() => catalogue.close());
  const { sqlite } = catalogue;
  const statements: string[] = [];
  const listening = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: sqlite }),
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  await readLedger(listening, { advertiserId: "advertiser_a", before: null, kind: "deposit" });
  const [statement = ""] = statements;
  const anything = Array.from(statement.matchAll(/\?/g), () => 1);
  const steps = sqlite.prepare(`explain query plan ${statement}`).all(...anything) as { detail: string }[];
  const plan = steps.map(({ detail }) => detail);
  expect(plan.filter((step) => /^\w+ (?:line|ledger_line|ledger_note)\b/.test(step))).toEqual([
    expect.stringMatching(/^SEARCH line USING INTEGER PRIMARY KEY \(rowid=\?\)/),
    expect.stringMatching(/^SEARCH ledger_line USING COVERING INDEX ledger_line_deposit \(advertiser=\?/),
    expect.stringMatching(/^SEARCH ledger_note USING PRIMARY KEY \(advertiser=\?/),
  ]);
});
