import { offerInput, publisherInput, websiteInput } from "@offers/contract/catalogue";
import { afterEach, describe, expect, test } from "vitest";
import { seededRandom } from "../../core/seeded-random.ts";
import { listActivity } from "../catalogue/activity.ts";
import { createAdvertiser } from "../catalogue/advertisers.ts";
import { CatalogueConflict } from "../catalogue/catalogue-conflict.ts";
import { fewPlaces } from "../catalogue/catalogue-for-tests.ts";
import { CatalogueRefusal } from "../catalogue/catalogue-refusal.ts";
import { createOffer, updateOffer } from "../catalogue/offers.ts";
import { createPublisher, listPublishers, updatePublisher } from "../catalogue/publishers.ts";
import { createUser } from "../catalogue/users.ts";
import { createWebsite, updateWebsite } from "../catalogue/websites.ts";
import type { EngineUnderTest } from "./engine-under-test.ts";

/** What edits promise that depend on a version, and what is noted of them, with two processes at once. */
export function describeEdits(engine: EngineUnderTest): void {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const newEditors = async () => {
    const database = await engine.newDatabase();
    closing.push(database.close);
    const { publisherId } = await createPublisher(database, publisherInput.parse({ name: "0" }), { now: 1 });
    const other = await database.beside();
    const [ada, bo] = [
      await createUser(database, { email: "ada@example.com", isOperator: false }, 1),
      await createUser(database, { email: "bo@example.com", isOperator: false }, 1),
    ];
    const editors = [
      { ...database, actor: { kind: "user", userId: ada.userId, name: "Ada" } },
      { ...other, actor: { kind: "user", userId: bo.userId, name: "Bo" } },
    ] as const;
    const saved = async () => {
      const [publisher] = await listPublishers(database.db);
      if (!publisher) throw new Error("no publisher");
      return publisher;
    };
    return { database, publisherId, editors, saved };
  };

  describe("two edits at once of one version", () => {
    test("one of them wins, and the other is told who was quicker, and what there is now", async () => {
      const { publisherId, editors, saved } = await newEditors();
      const { version: ifVersion } = await saved();
      const [ada, bo] = await Promise.allSettled(
        editors.map((editor) =>
          updatePublisher(editor, publisherId, { name: editor.actor.name }, { ifVersion }),
        ),
      );
      const now = await saved();
      expect([ada?.status, bo?.status].sort()).toEqual(["fulfilled", "rejected"]);
      const refused = ada?.status === "rejected" ? ada.reason : bo?.status === "rejected" ? bo.reason : null;
      expect(refused).toBeInstanceOf(CatalogueConflict);
      expect(refused).toMatchObject({
        version: now.version,
        current: { name: now.name },
        lastChange: {
          actor: { kind: "user", name: now.name },
          action: "updated",
          before: { name: "0" },
          after: { name: now.name },
        },
      });
    });

    test("of 50 random edits by two editors none is lost, and none is made of what nobody saw", async () => {
      const { database, publisherId, editors, saved } = await newEditors();
      const random = seededRandom(7);
      let conflicts = 0;
      /** Adds one to what it has seen, now and then after a while, until that is still what there is. */
      const edit = async (editor: (typeof editors)[number]): Promise<void> => {
        const { name, version: ifVersion } = await saved();
        for (let turns = Math.floor(random() * 5); turns > 0; turns -= 1) await saved();
        try {
          await updatePublisher(editor, publisherId, { name: String(Number(name) + 1) }, { ifVersion });
        } catch (error) {
          if (!(error instanceof CatalogueConflict)) throw error;
          conflicts += 1;
          await edit(editor);
        }
      };
      await Promise.all(
        editors.map(async (editor) => {
          for (let number = 0; number < 25; number += 1) await edit(editor);
        }),
      );
      expect((await saved()).name).toBe("50");
      expect(conflicts).toBeGreaterThan(0);
      const noted = await listActivity(database.db, { publisherId, limit: 100 });
      const steps = noted.map(({ before, after }) => [before?.name, after?.name]).reverse();
      expect(steps.slice(1)).toEqual(
        Array.from({ length: 50 }, (_, number) => [String(number), String(number + 1)]),
      );
      expect(new Set(noted.map(({ actor }) => actor.name))).toEqual(new Set(["tests", "Ada", "Bo"]));
    });
  });

  test.each([
    { says: "a NUL", address: "https://lumen.example/a\0b" },
    { says: "a password", address: "https://ada:secret@lumen.example/" },
  ])("an address with $says is refused by its name, wherever one is saved", async ({ address }) => {
    const { database, publisherId } = await newEditors();
    const advertiserId = await createAdvertiser(database, { name: "Lumen", balanceMicros: 0 }, { now: 1 });
    const website = { publisherId, name: "Journal", origins: ["https://shop-a.example"] };
    const { websiteKey } = await createWebsite(database, websiteInput.parse(website), {
      now: 1,
      rules: fewPlaces,
    });
    const offerId = await createOffer(
      database,
      offerInput.parse({
        ...{ advertiserId, brand: "Lumen", vertical: "mobile", title: "Ten gigabytes", geoCoverage: ["DE"] },
        ...{ landingUrl: "https://lumen.example/?c={click_id}", payoutModel: "CPC", payoutMicros: 1 },
      }),
      { now: 1, rules: fewPlaces },
    );
    const refusedBy = (change: Promise<unknown>): Promise<string[]> =>
      change.then(
        () => [],
        (error) => (error instanceof CatalogueRefusal ? error.problems.map(({ field }) => field) : [error]),
      );
    const settings = { logo: address, fallbackUrl: address, supportContact: { url: address } };
    const named = [
      ...(await refusedBy(updateOffer(database, offerId, { imageUrl: address }, fewPlaces))),
      ...(await refusedBy(updateOffer(database, offerId, { landingUrl: address }, fewPlaces))),
      ...(await refusedBy(updateWebsite(database, websiteKey, { settings }, fewPlaces))),
    ];
    expect(named).toEqual([
      ...["imageUrl", "landingUrl", "settings.logo", "settings.supportContact.url"],
      "settings.fallbackUrl",
    ]);
  });

  test("a change that is taken back leaves no trace of what it told", async () => {
    const { database, publisherId } = await newEditors();
    const before = await listActivity(database.db, { limit: 9 });
    await expect(updatePublisher(database, publisherId, { shareBasisPoints: -1 })).rejects.toThrow();
    const failing = database.transact(async (db) => {
      await updatePublisher({ ...database, db, transact: (work) => work(db) }, publisherId, { name: "B" });
      expect(await listActivity(db, { limit: 9 })).toHaveLength(before.length + 1);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await listActivity(database.db, { limit: 9 })).toEqual(before);
  });
}
