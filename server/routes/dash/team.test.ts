import type { Team } from "@offers/contract/dash/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setUserDisabled } from "../../store/catalogue/user-access.ts";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let owner: DashCalls;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  owner = await signedIn(service);
});
afterAll(() => service.close());

const team = "/dash/api/publishers/publisher_a/team";

describe("a publisher's team", () => {
  it("gives a member another role, which holds on their next call", async () => {
    const editor = await signedIn(service, { publishers: { publisher_a: "editor" } });
    const invitation = { email: "x@example.com", role: "viewer" };
    expect((await editor.change("POST", `${team}/invitations`, invitation)).status).toBe(403);
    const raised = await owner.change("PATCH", `${team}/members/${editor.userId}`, { role: "owner" });
    expect(raised.status, raised.text).toBe(204);
    expect((await editor.change("POST", `${team}/invitations`, invitation)).status).toBe(201);
    expect((await owner.change("PATCH", `${team}/members/${editor.userId}`, { role: "viewer" })).status).toBe(
      204,
    );
    expect((await editor.change("POST", `${team}/invitations`, invitation)).status).toBe(403);
    expect((await owner.change("DELETE", `${team}/members/${editor.userId}`)).status).toBe(204);
    expect((await editor.get(team)).status).toBe(404);
  });

  it("is never left without an owner", async () => {
    const alone = await startTestService();
    try {
      const last = await signedIn(alone);
      for (const answer of [
        await last.change("PATCH", `${team}/members/${last.userId}`, { role: "editor" }),
        await last.change("DELETE", `${team}/members/${last.userId}`),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.text).toContain("last owner");
      }
      expect((await last.get(team)).json<Team>().members).toMatchObject([{ role: "owner" }]);
    } finally {
      await alone.close();
    }
  });

  it("knows nobody of another one", async () => {
    const stranger = await signedIn(service, { publishers: { publisher_b: "owner" } });
    for (const [method, path, body] of [
      ["PATCH", `/dash/api/publishers/publisher_b/team/members/${owner.userId}`, { role: "viewer" }],
      ["DELETE", `/dash/api/publishers/publisher_b/team/members/${owner.userId}`, undefined],
      ["DELETE", `/dash/api/publishers/publisher_b/team/invitations/1`, undefined],
      ["DELETE", `${team}/members/${owner.userId}`, undefined],
    ] as const) {
      expect((await stranger.change(method, path, body)).status).toBe(404);
    }
    expect((await owner.get(team)).status).toBe(200);
  });

  it("takes an invitation back", async () => {
    await owner.change("POST", `${team}/invitations`, { email: "back@example.com", role: "editor" });
    const before = (await owner.get(team)).json<Team>().invitations;
    const made = before.find(({ email }) => email === "back@example.com");
    const path = `${team}/invitations/${made?.invitationId}`;
    expect((await owner.change("DELETE", path)).status).toBe(204);
    expect((await owner.change("DELETE", path)).status).toBe(404);
  });

  it("wants the password of the last quarter of an hour", async () => {
    const late = await signedIn(service, { signedInMsAgo: 16 * 60_000 });
    const answer = await late.change("POST", `${team}/invitations`, {
      email: "y@example.com",
      role: "viewer",
    });
    expect(answer.json()).toMatchObject({ status: 403, code: "sign_in_again" });
    expect((await late.get(team)).status).toBe(200);
  });

  it.each<[string, number, (by: DashCalls) => Promise<unknown>]>([
    ["were taken out of it", 404, ({ userId }) => owner.change("DELETE", `${team}/members/${userId}`)],
    [
      "own it no more",
      403,
      ({ userId }) => owner.change("PATCH", `${team}/members/${userId}`, { role: "editor" }),
    ],
    ["were signed out", 401, ({ change }) => change("POST", "/dash/sign-out")],
  ])("takes no invitation of who %s while it was on its way", async (_, status, happens) => {
    const leaving = await signedIn(service);
    const { desk } = service.context;
    const { ask } = desk;
    // The first that is asked is who they are, before the body is read.
    desk.ask = (async (...asked: Parameters<typeof ask>) => {
      desk.ask = ask;
      const found = await ask(...asked);
      await happens(leaving);
      return found;
    }) as typeof ask;
    const invitation = { email: "left@example.com", role: "owner" };
    expect((await leaving.change("POST", `${team}/invitations`, invitation)).status).toBe(status);
    const { invitations } = (await owner.get(team)).json<Team>();
    expect(invitations.map(({ email }) => email)).not.toContain("left@example.com");
  });

  it("takes no invitation of who is shut out between their call and its being saved", async () => {
    const leaving = await signedIn(service);
    const { desk } = service.context;
    const { ask } = desk;
    desk.ask = (async (...asked: Parameters<typeof ask>) => {
      if (asked[0] === "invite") {
        desk.ask = ask;
        await setUserDisabled(service.catalogue, { email: leaving.email, isDisabled: true }, 1);
      }
      return ask(...asked);
    }) as typeof ask;
    const invitation = { email: "left@example.com", role: "owner" };
    const waited = await leaving.change("POST", `${team}/invitations`, invitation);
    const later = await leaving.change("POST", `${team}/invitations`, invitation);
    expect(waited.json()).toEqual({ ...later.json<object>(), instance: expect.any(String) });
    expect(later.status).toBe(401);
  });

  it("may be looked at by an operator, and not changed", async () => {
    const operator = await signedIn(service, { publishers: {}, isOperator: true });
    expect((await operator.get(team)).status).toBe(200);
    const answer = await operator.change("DELETE", `${team}/members/${owner.userId}`);
    expect(answer.json()).toMatchObject({ status: 403, code: "role_too_low" });
    expect((await operator.get("/dash/api/publishers/publisher_none/team")).status).toBe(404);
  });
});
