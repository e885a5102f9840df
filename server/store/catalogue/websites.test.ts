import { tmpdir } from "node:os";
import { type WebsiteInput, websiteInput } from "@offers/contract/catalogue";
import { websiteKey } from "@offers/contract/ids";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../../core/actor.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import { createPublisher, type PublisherKeys } from "./publishers.ts";
import { createUser } from "./users.ts";
import { createWebsite, listWebsites, mostWebsites, updateWebsite } from "./websites.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
let publisher: PublisherKeys;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
  publisher = await createPublisher(catalogue, { name: "P" }, { now: 1 });
});
afterEach(() => catalogue.close());

const input = (change: object = {}): WebsiteInput =>
  websiteInput.parse({
    publisherId: publisher.publisherId,
    name: "W",
    origins: ["https://w.example"],
    ...change,
  });
const made = { now: 7, rules: fewPlaces };
const only = async () => (await listWebsites(catalogue.db))[0];

describe("a new website", () => {
  test("keeps what was given, fills the rest, and may show nothing yet", async () => {
    const before = await catalogue.version();
    const keys = await createWebsite(catalogue, input({ settings: { theme: "dark" } }), made);
    expect(keys).toEqual({
      websiteKey: expect.stringMatching(/^ws_[A-Za-z0-9_-]{22}$/),
      publicKey: publisher.publicKey,
    });
    expect(await catalogue.version()).toBe(before + 1);
    expect(await only()).toEqual({
      ...input({ settings: { theme: "dark" } }),
      ...keys,
      allowlist: {
        mode: "allowlist",
        allow: { brands: [], verticals: [], offers: [] },
        block: { brands: [], verticals: [], offers: [] },
      },
      paused: false,
      createdAt: 7,
      version: before + 1,
    });
  });

  test("stores each origin and each geo entry once", async () => {
    await createWebsite(
      catalogue,
      input({
        origins: ["https://w.example", "https://*.w.example", "https://w.example"],
        geoRule: { mode: "allowlist", entries: ["de", "US-NJ", "DE"], unknownLocation: "block" },
      }),
      made,
    );
    expect((await only())?.origins).toEqual(["https://w.example", "https://*.w.example"]);
    expect((await only())?.geoRule.entries).toEqual(["DE", "US-NJ"]);
  });

  test("takes a given key", async () => {
    const key = websiteKey.parse("ws_given");
    expect((await createWebsite(catalogue, input(), { ...made, key })).websiteKey).toBe(key);
  });

  test.each([
    ["an unknown publisher", { publisherId: "publisher_x" }, /no publisher has the id "publisher_x"/],
    ["a public suffix", { origins: ["https://*.co.uk"] }, /public suffix/],
    ["a path", { origins: ["https://w.example/"] }, /must be an exact origin: https:\/\/w\.example/],
    ["http elsewhere than here", { origins: ["http://w.example"] }, /https/],
    [
      "a country that is none",
      { geoRule: { mode: "allowlist", entries: ["XX"], unknownLocation: "allow" } },
      /XX is no ISO 3166-1 country/,
    ],
    [
      "the other code of Britain",
      { geoRule: { mode: "allowlist", entries: ["UK"], unknownLocation: "allow" } },
      /write GB/,
    ],
    [
      "a region that is none",
      { geoRule: { mode: "allowlist", entries: ["US-ZZ"], unknownLocation: "allow" } },
      /US-ZZ is no ISO 3166-2 region of US/,
    ],
    [
      "a region where nobody is ever located",
      { geoRule: { mode: "allowlist", entries: ["CA-QC"], unknownLocation: "allow" } },
      /CA-QC can never match: the location data knows no address in CA-QC/,
    ],
  ])("is refused with %s, and leaves nothing behind", async (_, change, message) => {
    const before = await catalogue.version();
    await expect(createWebsite(catalogue, input(change), made)).rejects.toThrow(message);
    expect(await catalogue.version()).toBe(before);
    expect(await catalogue.count("website")).toBe(0);
  });

  describe("beside many others of its publisher", () => {
    const nobodys: Actor = { kind: "command_line", name: "tests" };
    const somebody = async (isOperator: boolean): Promise<Actor> => {
      const { userId } = await createUser(catalogue, { email: "ada@example.com", isOperator }, 1);
      return { kind: "user", userId, name: "Ada" };
    };
    /** Has the command line make so many websites in one transaction. */
    const fill = (count: number) =>
      changeCatalogue(catalogue, async (tx) => {
        for (let at = 0; at < count; at += 1) await createWebsite(tx, input({ name: `W${at}` }), made);
      });

    test.each([
      ["one less than a publisher's people may make", mostWebsites - 1, 0, () => somebody(false), true],
      ["as many as they may make", mostWebsites, 0, () => somebody(false), false],
      ["as many, one of which is deleted", mostWebsites, 1, () => somebody(false), true],
      ["as many, for an operator", mostWebsites, 0, () => somebody(true), true],
      ["as many, for the command line", mostWebsites, 0, async () => nobodys, true],
    ])("of %s", async (_, there, deleted, who, isMade) => {
      const actor = await who();
      await fill(there);
      const other = await createPublisher(catalogue, { name: "Q" }, { now: 2 });
      await createWebsite(catalogue, input({ publisherId: other.publisherId }), made);
      const gone = (await listWebsites(catalogue.db)).slice(0, deleted).map(({ websiteKey: key }) => key);
      if (gone.length > 0) {
        await catalogue.db.updateTable("website").set({ archived_at: 8 }).where("key", "in", gone).execute();
      }
      const one = createWebsite({ ...catalogue, actor }, input({ name: "one more" }), made);
      if (isMade) await expect(one).resolves.toBeDefined();
      else {
        await expect(one).rejects.toThrow(
          `origins: this publisher has ${mostWebsites} websites already: delete one, or ask the operator`,
        );
      }
    });
  });

  test("keeps an entry that was saved when other data knew it, and takes no new one", async () => {
    const rule = { mode: "allowlist", entries: ["CA-QC"], unknownLocation: "allow" };
    const knowing = { ...made, rules: { ...fewPlaces, neverLocated: () => null } };
    const { websiteKey } = await createWebsite(catalogue, input({ geoRule: rule }), knowing);
    await updateWebsite(catalogue, websiteKey, { name: "Renamed" }, fewPlaces);
    await updateWebsite(catalogue, websiteKey, { geoRule: { entries: ["CA"] } }, fewPlaces);
    const again = updateWebsite(catalogue, websiteKey, { geoRule: { entries: ["CA-QC"] } }, fewPlaces);
    await expect(again).rejects.toThrow(/CA-QC can never match/);
  });

  test("names every origin that is wrong", async () => {
    const refused = createWebsite(
      catalogue,
      input({ origins: ["https://ok.example", "ftp://a", "b"] }),
      made,
    );
    await expect(refused).rejects.toMatchObject({
      problems: [
        { field: "origins", message: expect.stringContaining('"ftp://a"') },
        { field: "origins", message: expect.stringContaining('"b"') },
      ],
    });
  });
});

describe("an update", () => {
  test("changes what it names and leaves the rest, inside settings too", async () => {
    const { websiteKey: key } = await createWebsite(
      catalogue,
      input({
        geoRule: { mode: "allowlist", entries: ["DE"], unknownLocation: "block" },
        settings: { theme: "dark", title: "T", supportContact: { email: "a@w.example", label: "Help" } },
      }),
      made,
    );
    const before = await catalogue.version();
    await updateWebsite(
      catalogue,
      key,
      {
        geoRule: { entries: ["US-NJ", "FR"] },
        settings: { title: null, supportContact: { email: null, url: "https://w.example/help" } },
        development: true,
      },
      fewPlaces,
    );
    expect(await catalogue.version()).toBe(before + 1);
    expect(await only()).toMatchObject({
      name: "W",
      origins: ["https://w.example"],
      development: true,
      geoRule: { mode: "allowlist", entries: ["US-NJ", "FR"], unknownLocation: "block" },
    });
    const settings = (await only())?.settings;
    expect(settings).toMatchObject({ theme: "dark", title: "" });
    expect(settings?.supportContact).toEqual({ label: "Help", url: "https://w.example/help" });
  });

  test("that takes the last way to reach support out leaves no contact", async () => {
    const settings = { supportContact: { email: "a@w.example" } };
    const { websiteKey: key } = await createWebsite(catalogue, input({ settings }), made);
    await updateWebsite(catalogue, key, { settings: { supportContact: { email: null } } }, fewPlaces);
    expect((await only())?.settings.supportContact).toBeNull();
  });

  test("keeps a language in its one spelling", async () => {
    const { websiteKey: key } = await createWebsite(
      catalogue,
      input({ settings: { language: "PT_br" } }),
      made,
    );
    expect((await only())?.settings.language).toBe("pt-BR");
    await updateWebsite(catalogue, key, { settings: { language: "zh-hant" } }, fewPlaces);
    expect((await only())?.settings.language).toBe("zh-Hant");
    await updateWebsite(catalogue, key, { settings: { language: null } }, fewPlaces);
    expect((await only())?.settings.language).toBe("");
  });

  test("cannot hand the website to another publisher", async () => {
    const { websiteKey: key } = await createWebsite(catalogue, input(), made);
    const other = await createPublisher(catalogue, { name: "Q" }, { now: 2 });
    await updateWebsite(catalogue, key, { publisherId: other.publisherId, name: "Moved" }, fewPlaces);
    expect(await only()).toMatchObject({ publisherId: publisher.publisherId, name: "Moved" });
  });

  test.each([
    ["an origin that may not be registered", { origins: ["https://com"] }],
    ["no origin at all", { origins: [] }],
    ["an unknown theme", { settings: { theme: "pink" } }],
    ["no colour", { settings: { accent: "teal" } }],
    ["corners that are too round", { settings: { radius: 33 } }],
    ["a logo that is no https address", { settings: { logo: "http://pier.example/logo.svg" } }],
    ["a language that is none", { settings: { language: "german" } }],
    ["a language that is longer than any", { settings: { language: `de${"-latn1".repeat(6)}` } }],
    ["a logo within the settings", { settings: { logo: "data:image/svg+xml,<svg/>" } }],
    ["an unknown country", { geoRule: { entries: ["ZZ"] } }],
  ])("is refused with %s, and changes nothing", async (_, patch) => {
    const { websiteKey: key } = await createWebsite(catalogue, input(), made);
    const [version, before] = [await catalogue.version(), await only()];
    await expect(updateWebsite(catalogue, key, patch, fewPlaces)).rejects.toThrow();
    expect(await catalogue.version()).toBe(version);
    expect(await only()).toEqual(before);
  });

  test("of an unknown website is refused", async () => {
    await expect(updateWebsite(catalogue, "ws_x", {}, fewPlaces)).rejects.toThrow(
      /no website has the key "ws_x"/,
    );
  });
});

test("a list can be narrowed to one publisher", async () => {
  const other = await createPublisher(catalogue, { name: "Q" }, { now: 2 });
  await createWebsite(catalogue, input({ name: "first" }), made);
  await createWebsite(catalogue, input({ name: "second", publisherId: other.publisherId }), made);
  const namesOf = async (filter?: { publisherId: string }) =>
    (await listWebsites(catalogue.db, filter)).map(({ name }) => name);
  expect(await namesOf()).toEqual(["first", "second"]);
  expect(await namesOf({ publisherId: other.publisherId })).toEqual(["second"]);
  await expect(namesOf({ publisherId: "publisher_x" })).rejects.toThrow(/no publisher/);
});
