import { tmpdir } from "node:os";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBeside } from "../testing/engine-of-tests.ts";
import { byTests, newCatalogue, readingOf } from "./catalogue/catalogue-for-tests.ts";
import { createPublisher } from "./catalogue/publishers.ts";
import { atOneMoment, hasPart, text, whole } from "./dialects.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeAll(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterAll(() => catalogue.close());

test("what is read at one moment is of one moment, whatever is written meanwhile", async () => {
  const beside = openBeside(catalogue.address, byTests);
  await createPublisher(beside, { name: "A" }, { now: 1 });
  const seen = await atOneMoment(catalogue.db, async (tx) => {
    const before = await readingOf({ db: tx }).count("publisher");
    await createPublisher(beside, { name: "B" }, { now: 1 });
    return [before, await readingOf({ db: tx }).count("publisher"), await readingOf({ db: tx }).version()];
  });
  expect(seen).toEqual([1, 1, 2]);
  expect([await catalogue.count("publisher"), await catalogue.version()]).toEqual([2, 3]);
  await beside.close();
});

test("within a transaction it reads what that one has written", async () => {
  await catalogue.transact(async (tx) => {
    await tx.updateTable("catalogue_version").set({ version: 70 }).execute();
    expect(await atOneMoment(tx, (joined) => readingOf({ db: joined }).version())).toBe(70);
  });
});

test.each([
  ["Orchard", "ORCH", true],
  ["Orchard", "chard", true],
  ["Orchard", "orb", false],
  ["100 %", "0 %", true],
  ["1000", "0 %", false],
  ["a_b", "A_B", true],
  ["axb", "a_b", false],
  ["a\\b", "\\", true],
  ["ab", "\\", false],
  // Of no other letters it is known which belong together.
  ["Ökonomie", "Öko", true],
  ["Ökonomie", "öko", false],
])("%j has the part %j: %s", async (whole, part, expected) => {
  const { rows } = await sql<{ has: unknown }>`
    select ${hasPart(catalogue.db, sql<string>`cast(${whole} as text) ${sql.raw(catalogue.address.engine === "postgres" ? 'collate "C"' : "")}`, part)} as has`.execute(
    catalogue.db,
  );
  expect(Boolean(rows[0]?.has)).toBe(expected);
});

test("values of a list are compared as what they are", async () => {
  await createPublisher(catalogue, { name: "A" }, { now: 5 });
  const { rows } = await sql<{ name: string }>`
    with asked (at, called) as (values (${whole(5)}, ${text("A")}), (${whole(6)}, ${text("A")}))
    select name from asked join publisher on created_at = at and name = called`.execute(catalogue.db);
  expect(rows).toEqual([{ name: "A" }]);
});
