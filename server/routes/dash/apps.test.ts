import type { DashActivities } from "@offers/contract/dash/activity";
import type { ConnectedApps } from "@offers/contract/dash/apps";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { connectedBy } from "../../testing/dash-examples.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let owner: DashCalls;
beforeAll(async () => {
  service = await startTestService();
  owner = await signedIn(service, { name: "Ada Keller" });
});
afterAll(() => service.close());

const apps = "/dash/api/publishers/publisher_a/apps";
const listed = async () => (await owner.get(apps)).json<ConnectedApps>().items;

describe("a connected app", () => {
  it("is told with what it may and who allowed it, and is gone once it is disconnected", async () => {
    const at = service.context.clock();
    const grantId = await connectedBy(service, owner.userId, at);
    expect(await listed()).toEqual([
      {
        grantId,
        partner: "Tide Tables",
        scopes: ["reports:read"],
        allowedBy: "Ada Keller",
        at,
        endsAt: at + 30 * 24 * 60 * 60 * 1000,
        lastUsedAt: null,
      },
    ]);
    expect((await owner.change("DELETE", `${apps}/${grantId}`)).status).toBe(204);
    expect(await listed()).toEqual([]);
    const activity = await owner.get("/dash/api/publishers/publisher_a/activity?about=connection");
    expect(activity.json<DashActivities>().items[0]).toMatchObject({
      action: "disconnected",
      actor: { kind: "user", name: "Ada Keller" },
    });
  });

  it("of another publisher is as unknown as one that there never was", async () => {
    const grantId = await connectedBy(service, owner.userId, service.context.clock());
    const stranger = await signedIn(service, { publishers: { publisher_b: "owner" } });
    const path = "/dash/api/publishers/publisher_b/apps";
    const others = await stranger.change("DELETE", `${path}/${grantId}`);
    const unknown = await stranger.change("DELETE", `${path}/grant_none`);
    expect(others.status).toBe(404);
    expect(others.alike).toBe(unknown.alike);
    expect((await listed()).map((one) => one.grantId)).toEqual([grantId]);
  });
});
