import { tmpdir } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import { seededRandom } from "../../core/seeded-random.ts";
import { recount } from "../books/recount.ts";
import { addRandomOffers, randomEntries } from "../conformance/random-visits-for-tests.ts";
import { openDatabase } from "./database.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { openAlone } from "./open-alone.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const newDatabase = async () => {
  const { db, sqlite, file } = await newCatalogueFile(tmpdir());
  onTestFinished(() => db.destroy());
  return { db, sqlite, file };
};

const busy = expect.objectContaining({ code: "SQLITE_BUSY" });

it("opens a database that nobody else has open, and lets nobody in before it is closed", async () => {
  const { db, file } = await newDatabase();
  await expect(openAlone({ file, durability: "relaxed" })).rejects.toEqual(busy);
  await db.destroy();
  const alone = await openAlone({ file, durability: "relaxed" });
  const knock = () => openDatabase({ file, durability: "relaxed", busyTimeoutMs: 1 }).sqlite.close();
  expect(knock).toThrow(busy);
  await alone.db.destroy();
  expect(knock).not.toThrow();
}, 20_000);

it("leaves nothing that waits, and the sums as they were", async () => {
  const { db, sqlite, file } = await newDatabase();
  await addRandomOffers(db, {});
  prepareBatchWriter(sqlite).write(randomEntries(seededRandom(3), 20), 0);
  const waiting = () => sqlite.prepare("select count(*) from detail_delta").pluck().get();
  expect(waiting()).not.toBe(0);
  await db.destroy();
  const alone = await openAlone({ file, durability: "relaxed" });
  onTestFinished(() => alone.db.destroy());
  expect(await alone.db.selectFrom("detail_delta").selectAll().execute()).toEqual([]);
  const { cells, differences } = await recount(alone.db);
  expect(cells).toBeGreaterThan(0);
  expect(differences).toEqual([]);
});
