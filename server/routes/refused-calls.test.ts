import { createHash, randomBytes } from "node:crypto";
import { rateLimits as limits } from "@offers/contract/endpoints";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { parseApiKey } from "../core/api-key.ts";
import { base62 } from "../core/base62.ts";
import { createRateLimits, type RateLimits } from "../http/rate-limits.ts";
import { readKeyRefusals } from "../store/catalogue/tag-calls.ts";
import { withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let rateLimits: RateLimits;
const service: TestService = await startTestService({
  rateLimits: { take: (name, key) => rateLimits.take(name, key) },
});
afterAll(() => service.close());
beforeEach(() => {
  rateLimits = createRateLimits(1000);
  return service.empty(["trouble"]);
});

const rows = () => service.stored.table("trouble");
/** What was noted is written within a second; a test waits for the row that has to be the last. */
const written = async (count: number) => {
  await expect.poll(() => rows().length).toBe(count);
  return rows();
};
const subjectOf = (key: string | null) =>
  `website:${key === null ? 0 : service.stored.table("website").find((website) => website.key === key)?.id}`;
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
    const now = service.context.clock();
    expect(row).toEqual({
      subject: subjectOf(owner),
      hour: now - (now % 3_600_000),
      detail: code === "wrong_public_key" ? `${origin} ${pub}` : origin,
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
    expect(await written(1)).toMatchObject([{ subject: subjectOf("ws_a") }]);
  });

  it("leaves a mark of the limit of its own website", async () => {
    rateLimits = createRateLimits(1);
    for (let call = 0; call < limits.decision + 3; call += 1) await decision("pub_a", "ws_a");
    await expect
      .poll(rows)
      .toMatchObject([
        { subject: subjectOf("ws_a"), detail: "https://shop-a.example", code: "rate_limited", times: 3 },
      ]);
  });

  it("leaves nothing from an address that is above the limit of guesses", async () => {
    rateLimits = createRateLimits(1);
    for (let call = 0; call < limits.decision + 5; call += 1)
      await decision("pub_a", "ws_a", `https://a${call < limits.decision ? 0 : call}.example`);
    await expect.poll(rows).toMatchObject([{ detail: "https://a0.example", times: limits.decision }]);
  });

  it("leaves the first twenty origins of a website and hour, the rest as a number, and none after two weeks", async () => {
    const answers = new Set<string>();
    for (let number = 0; number < 30; number += 1) {
      answers.add((await decision("pub_a", "ws_a", `https://a${number}.example`)).alike);
    }
    await decision("pub_b", "ws_b", "https://b.example");
    const kept = await written(22);
    const named = kept.map(({ detail }) => detail).filter((detail) => detail !== "");
    expect(named.sort()).toEqual(
      [...Array.from({ length: 20 }, (_, at) => `https://a${at}.example`), "https://b.example"].sort(),
    );
    expect(kept.filter(({ code }) => code === "other")).toMatchObject([
      { subject: subjectOf("ws_a"), detail: "", times: 10 },
    ]);
    expect(answers.size).toBe(1);
    const twoWeeks = 14 * 24 * 60 * 60 * 1000;
    await service.purge(service.context.clock() + twoWeeks - 1000);
    expect(rows()).toHaveLength(22);
    await service.purge(service.context.clock() + twoWeeks);
    expect(rows()).toHaveLength(0);
  });

  it("leaves 21 rows an hour in a flood of a hundred thousand, over many seconds, and counts them all", async () => {
    const at = service.context.clock();
    for (let number = 0; number < 100_000; number += 1) {
      const detail = `https://${randomBytes(8).toString("hex")}.example`;
      const refused = { subject: "website:1", code: "origin_not_registered", detail } as const;
      // As if a second passed after each ten thousand.
      if (number % 10_000 < 50) {
        void service.context.store.journal.append({ kind: "calls_refused", ...refused, at, calls: 1 });
      } else service.context.store.noteRefusedCall(refused, at);
    }
    await expect.poll(() => rows().reduce((sum, { times }) => sum + Number(times), 0)).toBe(100_000);
    expect(rows()).toHaveLength(21);
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

describe("a refused call with an API key", () => {
  const refusals = async (key: string, path = "/v1/offers?page=0") =>
    service.call(path, { origin: null, headers: { Authorization: `Bearer ${key}` } });

  it("leaves its code, and nothing of what it asked", async () => {
    const { key } = await withKey(service, { scopes: ["offers:read"] });
    expect((await refusals(key.key)).json()).toMatchObject({ code: "invalid_parameter" });
    await refusals(key.key, "/v1/offers?page=-1");
    await refusals(key.key, "/v1/decision");
    await refusals(key.key, "/v1/offers");
    expect(
      (await written(2)).map(({ subject, code, detail, times }) => [subject, code, detail, times]).sort(),
    ).toEqual([
      [`key:${key.keyId}`, "insufficient_scope", "", 1],
      [`key:${key.keyId}`, "invalid_parameter", "", 2],
    ]);
    const since = service.context.clock() - 1;
    expect(await readKeyRefusals(service.catalogue.db, `key:${key.keyId}`, since)).toMatchObject(
      expect.arrayContaining([{ code: "invalid_parameter", times: 2, at: service.context.clock() }]),
    );
    expect(await readKeyRefusals(service.catalogue.db, `key:${key.keyId}`, since + 2)).toEqual([]);
  });

  it("leaves a word when the key has ended, for something still calls with it", async () => {
    const { key } = await withKey(service, { expiresAt: service.context.clock() + 1000 });
    service.moveClock(1000);
    expect((await refusals(key.key, "/v1/offers")).status).toBe(401);
    expect(await written(1)).toMatchObject([{ subject: `key:${key.keyId}`, code: "unauthorized" }]);
  });

  it("leaves nothing when the key was guessed", async () => {
    const { key } = await withKey(service);
    await refusals(`${key.key.slice(0, -1)}${key.key.endsWith("x") ? "y" : "x"}`);
    const body = `sk_${key.keyId}_${"a".repeat(32)}`;
    const guessed = body + base62(createHash("sha256").update(body).digest().subarray(0, 4), 6);
    expect(parseApiKey(guessed)).toMatchObject({ id: key.keyId });
    await refusals(guessed);
    await refusals("sk_none");
    await decision("pub_a", "ws_a", "https://elsewhere.example");
    expect(await written(1)).toMatchObject([{ code: "origin_not_registered" }]);
  });
});
