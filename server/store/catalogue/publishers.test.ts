import { tmpdir } from "node:os";
import { publicKey, publisherId } from "@offers/contract/ids";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import { createPublisher, listPublishers, updatePublisher } from "./publishers.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

/** What stands where nobody has said anything. */
const usual = { shareBasisPoints: 10_000, showSpend: true, websites: 0 };

test("a new publisher has random ids and moves the catalogue's version by one", async () => {
  const before = await catalogue.version();
  const one = await createPublisher(catalogue, { name: "One" }, { now: 1 });
  const two = await createPublisher(catalogue, { name: "Two" }, { now: 2 });
  expect(one.publisherId).toMatch(/^publisher_[A-Za-z0-9_-]{22}$/);
  expect(one.publicKey).toMatch(/^pub_[A-Za-z0-9_-]{22}$/);
  expect(two.publisherId).not.toBe(one.publisherId);
  expect(two.publicKey).not.toBe(one.publicKey);
  expect(await catalogue.version()).toBe(before + 2);
  expect(await listPublishers(catalogue.db)).toEqual([
    { ...one, ...usual, name: "One", createdAt: 1, version: before + 1 },
    { ...two, ...usual, name: "Two", createdAt: 2, version: before + 2 },
  ]);
});

test("given ids are kept, and cannot be taken twice", async () => {
  const keys = { publisherId: publisherId.parse("publisher_a"), publicKey: publicKey.parse("pub_a") };
  expect(await createPublisher(catalogue, { name: "A" }, { now: 1, keys })).toEqual(keys);
  const version = await catalogue.version();
  await expect(createPublisher(catalogue, { name: "B" }, { now: 2, keys })).rejects.toThrow(/unique/i);
  expect(await catalogue.version()).toBe(version);
  expect((await listPublishers(catalogue.db)).map(({ name }) => name)).toEqual(["A"]);
});

test("its share and what its reports tell can be given and changed, each alone", async () => {
  const first = { name: "A", shareBasisPoints: 7000, showSpend: false };
  const keys = await createPublisher(catalogue, first, { now: 1 });
  const saved = async () => (await listPublishers(catalogue.db))[0];
  expect(await saved()).toMatchObject(first);
  const version = await catalogue.version();
  for (const shareBasisPoints of [-1, 10_001, 33.33, "7000"]) {
    const refused = updatePublisher(catalogue, keys.publisherId, { shareBasisPoints });
    await expect(refused).rejects.toThrow(CatalogueRefusal);
  }
  expect(await catalogue.version()).toBe(version);
  expect(await updatePublisher(catalogue, keys.publisherId, { shareBasisPoints: 0 })).toEqual({
    ...first,
    shareBasisPoints: 0,
  });
  await updatePublisher(catalogue, keys.publisherId, { name: "B", showSpend: true });
  expect(await saved()).toMatchObject({ name: "B", shareBasisPoints: 0, showSpend: true });
});

test("a name can be changed, and a refused change leaves everything as it was", async () => {
  const keys = await createPublisher(catalogue, { name: "Old" }, { now: 1 });
  await updatePublisher(catalogue, keys.publisherId, { name: "New" });
  const version = await catalogue.version();
  await expect(updatePublisher(catalogue, keys.publisherId, { name: "" })).rejects.toThrow(CatalogueRefusal);
  await expect(updatePublisher(catalogue, "publisher_x", { name: "X" })).rejects.toThrow(
    /no publisher has the id/,
  );
  expect(await catalogue.version()).toBe(version);
  expect(await listPublishers(catalogue.db)).toEqual([
    { ...keys, ...usual, name: "New", createdAt: 1, version },
  ]);
});
