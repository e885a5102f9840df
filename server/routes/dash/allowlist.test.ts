import type { Allowlist } from "@offers/contract/catalogue";
import type { AllowlistAnswer, AllowlistCount } from "@offers/contract/dash/websites";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../core/seeded-random.ts";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { type KeyCalls, withKey } from "../../testing/key-calls.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let editor: DashCalls;
let viewer: DashCalls;
let key: KeyCalls;
beforeAll(async () => {
  service = await startTestService();
  editor = await signedIn(service, { publishers: { publisher_a: "editor" } });
  viewer = await signedIn(service, { publishers: { publisher_a: "viewer" } });
  key = await withKey(service);
});
afterAll(() => service.close());

const path = "/dash/api/publishers/publisher_a/websites/ws_a/allowlist";
const nothing = { brands: [], verticals: [], offers: [] };
const everything: Allowlist = { mode: "all", allow: nothing, block: nothing };

/** How many offers the website is handed for a visitor from there. */
const handedOut = async (country: string): Promise<number> => {
  const answer = await key.get(`/v1/offers?website=ws_a&country=${country}&pageSize=100`);
  expect(answer.status, answer.text).toBe(200);
  const { items, total } = answer.json<{ items: unknown[]; total: number }>();
  expect(items).toHaveLength(total);
  return total;
};

describe("a website's allowlist", () => {
  it("is shown with the offers to choose of, and without what they pay", async () => {
    const answer = await viewer.get(path);
    const { allowlist, verticals, count } = answer.json<AllowlistAnswer>();
    expect(allowlist).toEqual(everything);
    const offers = verticals.flatMap(({ brands }) => brands.flatMap(({ offers }) => offers));
    expect(offers).toHaveLength(count.active);
    expect(verticals.flatMap(({ brands }) => brands.map(({ brand }) => brand))).not.toContain("Paused");
    expect(answer.text).not.toMatch(/micros|budget|cap"/i);
  });

  it("permits after it is saved exactly as many offers as were counted before, for fifty random edits", async () => {
    const tree = (await viewer.get(path)).json<AllowlistAnswer>();
    const verticals = tree.verticals.map(({ vertical }) => vertical);
    const brands = tree.verticals.flatMap((one) => one.brands.map(({ brand }) => brand));
    const offers = tree.verticals.flatMap((one) =>
      one.brands.flatMap((two) => two.offers.map(({ offerId }) => offerId)),
    );
    const random = seededRandom(11);
    const some = (names: readonly string[], share: number) => names.filter(() => random() < share);
    const seen = new Set<number>();
    for (let edit = 0; edit < 50; edit += 1) {
      const share = random() / 2;
      const names = () => ({
        brands: some(brands, share),
        verticals: some(verticals, share / 3),
        offers: some(offers, share),
      });
      const body = { mode: random() < 0.5 ? "all" : "allowlist", allow: names(), block: names() };
      const before = (await viewer.change("POST", `${path}/preview`, body)).json<AllowlistCount>();
      const saved = await editor.change("PUT", path, body);
      expect(saved.status, saved.text).toBe(200);
      expect(saved.json()).toMatchObject({ count: before });
      await service.change(async () => undefined);
      for (const place of ["DE", "FR"]) {
        const blocked = before.places.find((one) => one.place === place);
        // France sees the page on this website, so nothing is counted there.
        if (place === "FR") expect(blocked).toBeUndefined();
        else expect([edit, blocked?.offers]).toEqual([edit, await handedOut(place)]);
      }
      seen.add(before.permitted);
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  it("says which names are in no offer, and refuses an offer that there is not", async () => {
    const body = { mode: "allowlist", allow: { brands: ["Nobody's"] }, block: {} };
    expect((await editor.change("PUT", path, body)).json()).toMatchObject({
      count: { permitted: 0 },
      warnings: [expect.stringContaining("Nobody's")],
    });
    const unknown = { mode: "all", allow: {}, block: { offers: ["offer_none"] } };
    expect((await editor.change("PUT", path, unknown)).json()).toMatchObject({
      status: 400,
      errors: [{ parameter: "block.offers" }],
    });
  });

  it("is changed by editors alone, and another publisher's is unknown", async () => {
    expect((await viewer.change("PUT", path, everything)).json()).toMatchObject({ code: "role_too_low" });
    for (const [method, end] of [
      ["GET", ""],
      ["PUT", ""],
      ["POST", "/preview"],
    ] as const) {
      const call = (website: string) => {
        const at = `${path.replace("ws_a", website)}${end}`;
        return method === "GET" ? editor.get(at) : editor.change(method, at, everything);
      };
      const [foreign, unknown] = [await call("ws_b"), await call("ws_none")];
      expect([foreign.status, foreign.alike]).toEqual([404, unknown.alike]);
    }
  });
});
