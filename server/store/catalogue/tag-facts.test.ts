import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rules } from "../../testing/fixture.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { readTagCalls } from "./tag-calls.ts";
import { prepareTagFacts } from "./tag-facts.ts";
import { requireWebsite, updateWebsite } from "./websites.ts";

let service: TestService;
const hour = 3_600_000;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const facts = async (key = "ws_a", since = 0) => {
  const { db } = service.catalogue;
  return (await prepareTagFacts(db, await requireWebsite(db, key), since))();
};
/** How many rows that name a page are read for the calls of a website. */
const rowsWithPages = async (key: string): Promise<number> => {
  const { db } = service.catalogue;
  let read = 0;
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read += result.rows.filter((row) => "url" in row).length;
      return result;
    },
  });
  const { websiteKey } = await requireWebsite(db, key);
  await readTagCalls(counted, websiteKey, 0);
  return read;
};
const ping = (origin: string, scriptVersion = "1.0.0", website = "ws_a", pub = "pub_a") =>
  service.post("snippet-ping", { websiteKey: website, pub, url: `${origin}/p`, scriptVersion }, { origin });

describe("the facts on a tag", () => {
  test("have the loads of each hour, and the last page of each host", async () => {
    const began = service.context.clock();
    const first = began - (began % hour);
    for (let load = 0; load < 3; load += 1)
      await ping("https://shop-a.example", load === 0 ? "0.9.0" : "1.0.0");
    service.moveClock(hour);
    await ping("https://shop-a.example");
    await ping("https://dev.shop-a.example", "1.0.0", "ws_dev");
    const { lastPing, lastPages, loads } = await facts();
    expect(loads).toEqual([
      { hour: first, loads: 3 },
      { hour: first + hour, loads: 1 },
    ]);
    expect(lastPages).toEqual([
      { at: began + hour, page: "https://shop-a.example/p", host: "shop-a.example", scriptVersion: "1.0.0" },
    ]);
    expect(lastPing).toEqual(lastPages[0]);
    expect((await facts("ws_wild")).lastPing).toBeNull();
    expect((await facts("ws_a", began + 2 * hour)).lastPing).toBeNull();
  });

  test("have each registered page that made-up hosts and versions came after, no more than 200 pages, and every load", async () => {
    const { db } = service.catalogue;
    const began = service.context.clock() + 100 * hour;
    const id = Number(service.stored.table("website").find(({ key }) => key === "ws_a")?.id);
    const of = (host: string, at: number, version = host === "" ? "" : "1.0.0") => ({ host, at, version });
    const all = [
      of("www.shop-a.example", began),
      ...Array.from({ length: 200 }, (_, at) => of("shop-a.example", began + at, `1.0.${at}`)),
      ...Array.from({ length: 300 }, (_, at) => of(`h${at}.example`, began + hour + at)),
      of("", began + hour + 999),
    ];
    const { origins } = await requireWebsite(db, "ws_a");
    await service.change((catalogue) =>
      updateWebsite(catalogue, "ws_a", { origins: [...origins, "https://www.shop-a.example"] }, rules),
    );
    await service.change(() =>
      db
        .insertInto("snippet_ping")
        .values(
          all.map(({ host, at, version }) => ({
            ...{ website_id: id, host, script_version: version, hour: at - (at % hour), surface: "overlay" },
            ...{ url: host === "" ? "" : `https://${host}/p`, last_at: at, loads: 2 },
          })),
        )
        .execute(),
    );
    const { lastPing, lastPages, othersAt, loads } = await facts("ws_a", began);
    expect(lastPages).toHaveLength(200);
    expect(lastPages.slice(-2)).toMatchObject([
      { host: "shop-a.example", at: began + 199, scriptVersion: "1.0.199" },
      { host: "www.shop-a.example", at: began },
    ]);
    expect(othersAt).toBe(began + hour + 999);
    expect(lastPing?.host).not.toBe("");
    expect(lastPages.map(({ host }) => host)).not.toContain("");
    expect(await rowsWithPages("ws_a")).toBe(201);
    const later = loads.filter(({ hour: one }) => one >= began - (began % hour));
    expect(later.reduce((sum, { loads }) => sum + loads, 0)).toBe(2 * all.length);
  });

  test("have what was refused, with the wrong key, and what its pages asked of others", async () => {
    const at = service.context.clock();
    const note = (
      website: number,
      code: "wrong_public_key" | "origin_not_registered" | "unknown_website",
      detail: string,
    ) =>
      service.context.store.journal.append({
        kind: "calls_refused",
        subject: `website:${website}`,
        code,
        detail,
        at,
        calls: 2,
      });
    const idOf = (key: string) =>
      Number(service.stored.table("website").find((website) => website.key === key)?.id);
    await note(idOf("ws_a"), "wrong_public_key", "https://shop-a.example pub_x");
    await note(idOf("ws_dev"), "origin_not_registered", "https://shop-a.example");
    await note(idOf("ws_b"), "origin_not_registered", "https://shop-a.example");
    await note(idOf("ws_b"), "origin_not_registered", "https://stranger.example");
    await note(0, "unknown_website", "https://shop-a.example");
    const { refused, elsewhere } = await facts();
    expect(refused).toEqual([
      { origin: "https://shop-a.example", pub: "pub_x", code: "wrong_public_key", at, times: 2 },
    ]);
    const origin = "https://shop-a.example";
    expect(elsewhere).toHaveLength(3);
    expect(elsewhere).toEqual(
      expect.arrayContaining([
        { website: null, origin, at, isShared: false },
        { website: { key: "ws_dev", name: "ws_dev", isOwn: true }, origin, at, isShared: false },
        { website: { key: "ws_b", name: "ws_b", isOwn: false }, origin, at, isShared: false },
      ]),
    );
    expect((await facts("ws_a", at + 1)).elsewhere).toEqual([]);
  });

  test.each([
    [{ mode: "allowlist", entries: ["US-NJ", "FR"], unknownLocation: "allow" }, true],
    [{ mode: "blocklist", entries: ["FR"], unknownLocation: "allow" }, true],
    [{ mode: "blocklist", entries: ["DE-BY"], unknownLocation: "allow" }, true],
  ] as const)("say whether an offer reaches anybody by the rule %j", async (geoRule, expected) => {
    await service.change((catalogue) => updateWebsite(catalogue, "ws_a", { geoRule }, rules));
    expect((await facts()).offersReachSomebody).toBe(expected);
  });

  test("say that no offer reaches anybody where none is permitted", async () => {
    expect(await facts("ws_empty")).toMatchObject({ offersReachSomebody: false, offers: { permitted: 0 } });
  });
});
