import { rateLimits as limits } from "@offers/contract/endpoints";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createRateLimits, type RateLimits } from "../http/rate-limits.ts";
import { preparePurgeOnce } from "../store/sqlite/purge.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let rateLimits: RateLimits;
const service: TestService = await startTestService({
  rateLimits: { take: (name, key) => rateLimits.take(name, key) },
});
afterAll(() => service.close());
beforeEach(() => {
  rateLimits = createRateLimits(1000);
  service.database.sqlite.exec("delete from refused_call");
});

const rows = () => service.stored.table("refused_call");
/** What was noted is written within a second; a test waits for the row that has to be the last. */
const written = async (count: number) => {
  await expect.poll(() => rows().length, { timeout: 5000 }).toBe(count);
  return rows();
};
const idOf = (key: string) =>
  service.database.sqlite.prepare("select id from website where key = ?").pluck().get(key);
const decision = (pub: string, website: string, origin: string | null = "https://shop-a.example") =>
  service.call(`/v1/decision?pub=${pub}&website=${website}`, { origin });

describe("a refused call of a page", () => {
  it.each([
    ["from another origin", "pub_a", "ws_a", "https://www.shop-a.example", "ws_a", "origin_not_registered"],
    ["over plain http", "pub_a", "ws_a", "http://shop-a.example", "ws_a", "insecure_origin"],
    ["with another's key", "pub_b", "ws_a", "https://shop-a.example", "ws_a", "wrong_public_key"],
    ["for a website that is none", "pub_a", "ws_none", "https://shop-a.example", null, "unknown_website"],
  ])("%s leaves its origin and why", async (_, pub, website, origin, owner, code) => {
    const answers = [await decision(pub, website, origin), await decision(pub, website, origin)];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    const [row] = await written(1);
    expect(row).toEqual({
      website_id: owner === null ? 0 : idOf(owner),
      origin,
      code,
      times: 2,
      last_at: service.context.clock(),
    });
  });

  it("leaves the same answer, whatever is noted of it", async () => {
    const told = [
      await decision("pub_a", "ws_a", "https://elsewhere.example"),
      await decision("pub_b", "ws_a"),
      await decision("pub_a", "ws_none"),
    ];
    expect(new Set(told.map(({ alike }) => alike)).size).toBe(1);
    await written(3);
  });

  it("leaves nothing when it names no website and comes from no page that anybody registered", async () => {
    await decision("pub_a", "ws_none", "https://elsewhere.example");
    await decision("pub_a", "ws_a", "https://elsewhere.example");
    expect(await written(1)).toMatchObject([{ website_id: idOf("ws_a") }]);
  });

  it("leaves a mark of the limit of its own website", async () => {
    rateLimits = createRateLimits(1);
    for (let call = 0; call < limits.decision + 3; call += 1) await decision("pub_a", "ws_a");
    await expect
      .poll(rows, { timeout: 5000 })
      .toMatchObject([
        { website_id: idOf("ws_a"), origin: "https://shop-a.example", code: "rate_limited", times: 3 },
      ]);
  });

  it("leaves nothing from an address that is above the limit of guesses", async () => {
    rateLimits = createRateLimits(1);
    for (let call = 0; call < limits.decision + 5; call += 1)
      await decision("pub_a", "ws_a", `https://a${call < limits.decision ? 0 : call}.example`);
    await expect
      .poll(rows, { timeout: 5000 })
      .toMatchObject([{ origin: "https://a0.example", times: limits.decision }]);
  });

  it("leaves the newest twenty of a website, and none after two weeks", async () => {
    for (let number = 0; number < 30; number += 1) {
      service.moveClock(1000);
      await decision("pub_a", "ws_a", `https://a${number}.example`);
    }
    await decision("pub_b", "ws_b", "https://b.example");
    const kept = await written(21);
    expect(kept.map(({ origin }) => origin).sort()).toEqual(
      [...Array.from({ length: 20 }, (_, at) => `https://a${at + 10}.example`), "https://b.example"].sort(),
    );
    const twoWeeks = 14 * 24 * 60 * 60 * 1000;
    const purge = preparePurgeOnce(service.database.sqlite, null);
    purge(service.context.clock() + twoWeeks - 1000, 1000);
    expect(rows()).toHaveLength(2);
    purge(service.context.clock() + twoWeeks, 1000);
    expect(rows()).toHaveLength(0);
  });

  it("holds no address and no user agent", async () => {
    await service.call("/v1/decision?pub=pub_a&website=ws_a", {
      origin: "https://elsewhere.example",
      from: "203.0.113.99",
    });
    const stored = JSON.stringify(await written(1));
    expect(stored).not.toMatch(/203\.0|Mozilla/);
  });
});
