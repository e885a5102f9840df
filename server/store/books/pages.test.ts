import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import type { DetailTable } from "../schema.ts";
import { pagesOf } from "./pages.ts";

test.each(["detail", "closed_detail"] as const)(
  "a page of %s has few rows, for each may be large",
  async (table) => {
    const catalogue = await newCatalogue(tmpdir());
    onTestFinished(catalogue.close);
    const rows = Array.from({ length: 120 }, (_, hour) => ({ website_id: 1, hour, lines: Buffer.alloc(9) }));
    await catalogue.db.insertInto(table).values(rows).execute();
    const read: number[][] = [];
    for await (const page of pagesOf<DetailTable>(
      catalogue.db,
      table,
      ["website_id", "hour"],
      ["website_id", "hour", "lines"],
    )) {
      read.push(page.map(({ hour }) => hour));
    }
    expect(read.map((page) => page.length)).toEqual([50, 50, 20]);
    expect(read.flat()).toEqual(rows.map(({ hour }) => hour));
  },
);
