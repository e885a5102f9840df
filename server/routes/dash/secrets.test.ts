import type { MadeSecret, SecretsAnswer } from "@offers/contract/dash/websites";
import { secretCarriers } from "@offers/contract/words";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { withSecret } from "../../testing/decline-calls.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let editor: DashCalls;
let viewer: DashCalls;
beforeAll(async () => {
  service = await startTestService();
  editor = await signedIn(service, { publishers: { publisher_a: "editor" } });
  viewer = await signedIn(service, { publishers: { publisher_a: "viewer" } });
});
afterAll(() => service.close());

const website = "/dash/api/publishers/publisher_a/websites/ws_a";
const path = `${website}/secrets`;
const trigger = (body: object, headers: Record<string, string> = {}) =>
  service.call("/v1/widget-decline/trigger", {
    method: "POST",
    origin: null,
    body,
    headers: { "Content-Type": "application/json", ...headers },
  });

describe("a website's secrets", () => {
  it("are told once, work beside each other, and end when they are revoked", async () => {
    const a = await withSecret(service);
    const made = await editor.change("POST", path);
    expect(made.status, made.text).toBe(201);
    const { secret, secretId } = made.json<MadeSecret>();
    await service.change(async () => undefined);
    for (const good of [secret, a.secret.secret]) {
      const { sessionId } = await a.open();
      expect((await trigger({ sessionId }, { Authorization: `Bearer ${good}` })).status).toBe(200);
    }
    const listed = await viewer.get(path);
    expect(listed.text).not.toContain(secret);
    expect(listed.json<SecretsAnswer>()).toMatchObject({
      secretCarrier: "any",
      items: expect.arrayContaining([
        expect.objectContaining({ secretId, lastFour: secret.slice(-4), revokedAt: null }),
      ]),
    });
    expect((await editor.change("DELETE", `${path}/${secretId}`)).status).toBe(204);
    await service.change(async () => undefined);
    const { sessionId } = await a.open();
    expect((await trigger({ sessionId }, { Authorization: `Bearer ${secret}` })).status).toBe(401);
    expect((await a.trigger({ sessionId })).status).toBe(200);
  });

  it("are made and revoked by editors with a fresh sign-in, and of one's own websites alone", async () => {
    expect((await viewer.change("POST", path)).json()).toMatchObject({ code: "role_too_low" });
    const late = await signedIn(service, { signedInMsAgo: 16 * 60_000 });
    expect((await late.change("POST", path)).json()).toMatchObject({ code: "sign_in_again" });
    const b = await withSecret(service, { website: "ws_b", pub: "pub_b", origin: "https://shop-b.example" });
    for (const at of [
      path.replace("ws_a", "ws_b"),
      `${path}/${b.secret.secretId}`,
      `${path.replace("ws_a", "ws_b")}/${b.secret.secretId}`,
    ]) {
      const method = at.endsWith("/secrets") ? "POST" : "DELETE";
      expect((await editor.change(method, at)).status).toBe(404);
    }
    expect((await editor.get(path.replace("ws_a", "ws_b"))).status).toBe(404);
    const { sessionId } = await b.open();
    expect((await b.trigger({ sessionId })).status).toBe(200);
  });
});

describe("where the secret is carried", () => {
  const ways = {
    authorization: (secret: string) => [{}, { Authorization: `Bearer ${secret}` }],
    x_integration_secret: (secret: string) => [{}, { "X-Integration-Secret": secret }],
    body: (secret: string) => [{ secret }, {}],
  } as const;
  const cases = secretCarriers.flatMap((setting) =>
    (Object.keys(ways) as (keyof typeof ways)[]).map(
      (way) => [setting, way, setting === "any" || setting === way ? 200 : 401] as const,
    ),
  );

  it.each(cases)("set to %s, it is answered in %s with %i", async (setting, way, status) => {
    const a = await withSecret(service);
    expect((await editor.change("PATCH", website, { secretCarrier: setting })).status).toBe(200);
    await service.change(async () => undefined);
    const { sessionId } = await a.open();
    const [body, headers] = ways[way](a.secret.secret);
    const answer = await trigger({ sessionId, ...body }, headers);
    expect(answer.status).toBe(status);
    expect((await a.stateOf(sessionId)).status).toBe(status === 200 ? "ready" : "pending");
    if (status === 401) {
      const [wrongBody, wrongHeaders] = ways[way](`its_${"0".repeat(32)}`);
      const wrong = await trigger({ sessionId, ...wrongBody }, wrongHeaders);
      expect([answer.status, answer.alike]).toEqual([wrong.status, wrong.alike]);
    }
  });
});
