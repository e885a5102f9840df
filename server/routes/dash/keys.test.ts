import type { DashKey, DashKeys, MadeKey, RolledKey } from "@offers/contract/dash/keys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { withKey } from "../../testing/key-calls.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let owner: DashCalls;
beforeAll(async () => {
  service = await startTestService();
  owner = await signedIn(service, { name: "Ada Keller" });
});
afterAll(() => service.close());

const keys = "/dash/api/publishers/publisher_a/keys";
const wanted = { name: "Reports", scopes: ["reports:read"], websiteKey: null, days: null };
const hourMs = 60 * 60 * 1000;

const make = async (given: object = {}): Promise<MadeKey> => {
  const answer = await owner.change("POST", keys, { ...wanted, ...given });
  expect(answer.status, answer.text).toBe(201);
  await service.change(async () => undefined);
  return answer.json<MadeKey>();
};
const listed = async (keyId: string): Promise<DashKey | undefined> =>
  (await owner.get(keys)).json<DashKeys>().items.find((one) => one.keyId === keyId);
/** Calls what the scope of `wanted` opens. */
const use = ({ key }: MadeKey) =>
  service.call("/v1/reports/aggregate", { origin: null, headers: { Authorization: `Bearer ${key}` } });

describe("an API key", () => {
  it("is good for what it was given, and stands in no answer but the first", async () => {
    const answer = await owner.change("POST", keys, { ...wanted, websiteKey: "ws_dev", days: 30 });
    expect(answer.headers["cache-control"]).toBe("no-store");
    const made = answer.json<MadeKey>();
    await service.change(async () => undefined);
    const used = await use(made);
    expect(used.status, used.text).toBe(200);
    const refused = await service.call("/v1/offers", {
      origin: null,
      headers: { Authorization: `Bearer ${made.key}` },
    });
    expect(refused.json()).toMatchObject({ code: "insufficient_scope" });
    const now = service.context.clock();
    // Its use, and what it was refused, are written behind the answers, once a second.
    await expect
      .poll(() => listed(made.keyId), { timeout: 10_000 })
      .toEqual({
        keyId: made.keyId,
        name: "Reports",
        prefix: `sk_${made.keyId}`,
        lastFour: made.key.slice(-4),
        scopes: ["reports:read"],
        websiteKey: "ws_dev",
        madeBy: "Ada Keller",
        createdAt: now,
        expiresAt: now + 30 * 24 * hourMs,
        revokedAt: null,
        lastUsedAt: now,
        refused: [{ code: "insufficient_scope", times: 1, at: now }],
      });
    const secret = made.key.slice(`sk_${made.keyId}_`.length);
    expect((await owner.get(keys)).text).not.toContain(secret.slice(0, 8));
  });

  it("that was made at the command line has no name and nobody who made it", async () => {
    const { key } = await withKey(service);
    expect(await listed(key.keyId)).toMatchObject({ name: "", madeBy: null });
  });

  it("is rolled: both work for a while, and the new one is called and can do as the old one", async () => {
    const old = await make({ name: "Nightly" });
    const answer = await owner.change("POST", `${keys}/${old.keyId}/roll`, { overlapHours: 1 });
    expect(answer.status, answer.text).toBe(201);
    const rolled = answer.json<RolledKey>();
    expect(rolled.oldKeyExpiresAt).toBe(service.context.clock() + hourMs);
    await service.change(async () => undefined);
    expect(await listed(rolled.keyId)).toMatchObject({
      name: "Nightly",
      scopes: ["reports:read"],
      madeBy: "Ada Keller",
    });
    expect([(await use(old)).status, (await use(rolled)).status]).toEqual([200, 200]);
    service.moveClock(hourMs + 1);
    owner = await signedIn(service, { name: "Ada Keller" });
    expect([(await use(old)).status, (await use(rolled)).status]).toEqual([401, 200]);
  });

  it("is revoked for good, and is still listed", async () => {
    const made = await make();
    expect((await owner.change("DELETE", `${keys}/${made.keyId}`)).status).toBe(204);
    await service.change(async () => undefined);
    expect((await use(made)).status).toBe(401);
    expect((await listed(made.keyId))?.revokedAt).toBe(service.context.clock());
    const again = await owner.change("POST", `${keys}/${made.keyId}/roll`, { overlapHours: 1 });
    expect(again.status).toBe(400);
    expect(again.text).toContain("revoked already");
  });

  it("of another publisher is as unknown as one that there never was", async () => {
    const { key } = await withKey(service, { publisherId: "publisher_b" });
    for (const [method, path, body] of [
      ["POST", "/roll", { overlapHours: 1 }],
      ["DELETE", "", undefined],
    ] as const) {
      const others = await owner.change(method, `${keys}/${key.keyId}${path}`, body);
      const unknown = await owner.change(method, `${keys}/none${path}`, body);
      expect(others.status).toBe(404);
      expect(others.alike).toBe(unknown.alike);
    }
    const used = await service.call("/v1/whats-my-ip", { origin: null });
    expect(used.status).toBe(200);
    expect(service.stored.table("api_key").find(({ id }) => id === key.keyId)).toMatchObject({
      revoked_at: null,
      expires_at: null,
    });
  });

  it.each([
    [{ name: " " }, "name"],
    [{ name: "x".repeat(61) }, "name"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["everything"] }, "scopes"],
    [{ websiteKey: "ws_b" }, "websiteKey"],
    [{ websiteKey: "ws_none" }, "websiteKey"],
    [{ days: 0 }, "days"],
    [{ days: 4000 }, "days"],
    [{ days: 1.5 }, "days"],
  ])("is not made of %j", async (given, parameter) => {
    const made = async () =>
      (await owner.get(keys)).json<{ items: { keyId: string }[] }>().items.map(({ keyId }) => keyId);
    const before = await made();
    const answer = await owner.change("POST", keys, { ...wanted, ...given });
    expect(answer.status).toBe(400);
    expect(answer.json<{ errors: { parameter: string }[] }>().errors.map((one) => one.parameter)).toEqual([
      parameter,
    ]);
    expect(await made()).toEqual(before);
  });
});
