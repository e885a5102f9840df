import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeCatalogue, randomId } from "./catalogue-change.ts";
import { newCatalogue, readingOf } from "./catalogue-for-tests.ts";
import { SignedOut } from "./catalogue-refusal.ts";
import { createPublisher, updatePublisher } from "./publishers.ts";
import { removeUser, setUserDisabled } from "./user-access.ts";
import { createUser } from "./users.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

test("what a change throws takes all of it back, the version too", async () => {
  const before = await catalogue.version();
  const failing = changeCatalogue(catalogue, async (tx) => {
    await createPublisher(tx, { name: "A" }, { now: 1 });
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await catalogue.version()).toBe(before);
  expect(await catalogue.count("publisher")).toBe(0);
});

test("what is written carries the version that the change makes, and nothing else moves", async () => {
  const keys = await createPublisher(catalogue, { name: "A" }, { now: 1 });
  await createPublisher(catalogue, { name: "B" }, { now: 1 });
  await updatePublisher(catalogue, keys.publisherId, { name: "C" });
  const rows = await catalogue.db
    .selectFrom("publisher")
    .select(["name", "changed"])
    .orderBy("number")
    .execute();
  expect(rows).toEqual([
    { name: "C", changed: 4 },
    { name: "B", changed: 3 },
  ]);
  expect(await catalogue.version()).toBe(4);
});

test("a change within a change is part of it", async () => {
  await changeCatalogue(catalogue, async (tx) => {
    await createPublisher(tx, { name: "A" }, { now: 1 });
    expect(await readingOf(tx).count("publisher")).toBe(1);
    await createPublisher(tx, { name: "B" }, { now: 1 });
  });
  const changed = await catalogue.db.selectFrom("publisher").select("changed").orderBy("number").execute();
  const version = await catalogue.version();
  expect(changed.every((row) => row.changed > 2 && row.changed <= version)).toBe(true);
});

test.each([
  ["shut out", (email: string) => setUserDisabled(catalogue, { email, isDisabled: true }, 2)],
  ["removed", (email: string) => removeUser(catalogue, { email }, 2)],
])("whoever is %s before their change is made changes nothing", async (_, happens) => {
  const email = "ada@example.com";
  const { userId } = await createUser(catalogue, { email, isOperator: false }, 1);
  const ada = { ...catalogue, actor: { kind: "user" as const, userId, name: "Ada" } };
  const { publisherId } = await createPublisher(ada, { name: "A" }, { now: 1 });
  await happens(email);
  const [version, rows] = [await catalogue.version(), await catalogue.count("activity")];
  await expect(updatePublisher(ada, publisherId, { name: "B" })).rejects.toThrow(SignedOut);
  expect([await catalogue.version(), await catalogue.count("activity")]).toEqual([version, rows]);
});

test("random ids have their prefix and 128 bits, and differ", () => {
  const ids = new Set(Array.from({ length: 1000 }, () => randomId("ws")));
  expect(ids.size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^ws_[A-Za-z0-9_-]{22}$/);
});
