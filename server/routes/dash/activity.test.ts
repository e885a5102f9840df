import type { DashActivities } from "@offers/contract/dash/activity";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPublisher } from "../../store/catalogue/publishers.ts";
import { updateWebsite } from "../../store/catalogue/websites.ts";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { rules } from "../../testing/fixture.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let owner: DashCalls;
beforeAll(async () => {
  service = await startTestService();
  owner = await signedIn(service, { name: "=Ada()" });
  await owner.change("POST", "/dash/api/publishers/publisher_a/keys", {
    name: "=HYPERLINK(1)",
    scopes: ["reports:read"],
    websiteKey: null,
    days: null,
  });
  await service.change((catalogue) => updateWebsite(catalogue, "ws_a", { vertical: "travel" }, rules));
  await service.change((catalogue) => updateWebsite(catalogue, "ws_b", { vertical: "travel" }, rules));
  await service.change((catalogue) =>
    createPublisher(catalogue, { name: "Third" }, { now: service.context.clock() }),
  );
});
afterAll(() => service.close());

const path = "/dash/api/publishers/publisher_a/activity";
const listed = async (query = ""): Promise<DashActivities> => {
  const answer = await owner.get(`${path}?${query}`);
  if (answer.status !== 200) throw new Error(`no activity: ${answer.status} ${answer.text}`);
  return answer.json<DashActivities>();
};

describe("a publisher's activity", () => {
  it("tells who changed what, the newest first, and nothing of another publisher or the operator", async () => {
    const { items } = await listed();
    expect(items[0]).toMatchObject({
      action: "updated",
      subject: { kind: "website", id: "ws_a" },
      changes: [{ member: "vertical", before: "news", after: "travel" }],
    });
    const made = items.find(({ subject }) => subject.kind === "api_key");
    expect(made).toMatchObject({ actor: { kind: "user", name: "=Ada()" }, action: "created" });
    const text = JSON.stringify(items);
    expect(text).not.toMatch(/ws_b|publisher_b|Third|advertiser|share/);
  });

  it("is narrowed, and read page by page without a row left out or told twice", async () => {
    const all: number[] = [];
    for (let version = 0; version < 60; version += 1) {
      await service.change((catalogue) =>
        updateWebsite(catalogue, "ws_dev", { vertical: version % 2 ? "games" : "food" }, rules),
      );
    }
    let before = "";
    for (let hasMore = true; hasMore; ) {
      const page = await listed(before);
      all.push(...page.items.map(({ id }) => id));
      before = `before=${all.at(-1)}`;
      hasMore = page.hasMore;
    }
    expect(all).toEqual([...new Set(all)].toSorted((one, other) => other - one));
    const rows = service.stored.table("activity").filter((row) => row.publisher_id === "publisher_a");
    expect(all).toHaveLength(rows.length);

    const kinds = async (query: string) => (await listed(query)).items.map(({ subject }) => subject.kind);
    expect(new Set(await kinds("about=api_key"))).toEqual(new Set(["api_key"]));
    expect((await listed("by=user")).items.every(({ actor }) => actor.kind === "user")).toBe(true);
    expect((await listed(`user=${owner.userId}`)).items).not.toEqual([]);
    expect((await listed("user=999")).items).toEqual([]);
    expect((await listed("by=partner")).items).toEqual([]);
  });

  it("is a file whose cells no spreadsheet takes for formulas", async () => {
    const answer = await owner.get(`${path}?format=csv`);
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
    const [head, ...lines] = answer.text.trimEnd().split("\r\n");
    expect(head).toBe("\uFEFFat,by,name,action,kind,id,subject,changes");
    expect(lines.length).toBeGreaterThan(60);
    for (const cell of answer.text.split(/,|\r\n/)) expect(cell).not.toMatch(/^"?[=+@\t-]/);
    expect(answer.text).toContain("'=Ada(),created,api_key");
  });

  it.each(["before=0", "by=robot", "about=money", "format=pdf", "colour=red"])(
    "is not told by %s",
    async (query) => {
      expect((await owner.get(`${path}?${query}`)).status).toBe(400);
    },
  );
});
