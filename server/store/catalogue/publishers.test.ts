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

test("a new publisher has random ids and moves the catalogue's version by one", async () => {
  const before = catalogue.version();
  const one = await createPublisher(catalogue, { name: "One" }, { now: 1 });
  const two = await createPublisher(catalogue, { name: "Two" }, { now: 2 });
  expect(one.publisherId).toMatch(/^publisher_[A-Za-z0-9_-]{22}$/);
  expect(one.publicKey).toMatch(/^pub_[A-Za-z0-9_-]{22}$/);
  expect(two.publisherId).not.toBe(one.publisherId);
  expect(two.publicKey).not.toBe(one.publicKey);
  expect(catalogue.version()).toBe(before + 2);
  expect(await listPublishers(catalogue.db)).toEqual([
    { ...one, name: "One", websites: 0, createdAt: 1 },
    { ...two, name: "Two", websites: 0, createdAt: 2 },
  ]);
});

test("given ids are kept, and cannot be taken twice", async () => {
  const keys = { publisherId: publisherId.parse("publisher_a"), publicKey: publicKey.parse("pub_a") };
  expect(await createPublisher(catalogue, { name: "A" }, { now: 1, keys })).toEqual(keys);
  const version = catalogue.version();
  await expect(createPublisher(catalogue, { name: "B" }, { now: 2, keys })).rejects.toThrow(/UNIQUE/);
  expect(catalogue.version()).toBe(version);
  expect((await listPublishers(catalogue.db)).map(({ name }) => name)).toEqual(["A"]);
});

test("a name can be changed, and a refused change leaves everything as it was", async () => {
  const keys = await createPublisher(catalogue, { name: "Old" }, { now: 1 });
  await updatePublisher(catalogue, keys.publisherId, { name: "New" });
  const version = catalogue.version();
  await expect(updatePublisher(catalogue, keys.publisherId, { name: "" })).rejects.toThrow(CatalogueRefusal);
  await expect(updatePublisher(catalogue, "publisher_x", { name: "X" })).rejects.toThrow(
    /no publisher has the id/,
  );
  expect(catalogue.version()).toBe(version);
  expect(await listPublishers(catalogue.db)).toEqual([{ ...keys, name: "New", websites: 0, createdAt: 1 }]);
});
