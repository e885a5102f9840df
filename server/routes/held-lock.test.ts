import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../testing/call.ts";
import { signedIn } from "../testing/dash-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

/** How long another process keeps the database's write lock, and what most answers must not wait for. */
const heldMs = 5_000;
const promptMs = 250;
/** How long a click waits for it, and a little less, so that it is written in time. */
const patienceMs = 2_500;

let service: TestService;
let file: string;
const holders: ChildProcess[] = [];
beforeAll(async () => {
  service = await startTestService({ waitsBriefly: true });
  if (service.address.engine !== "sqlite") throw new Error("the lock is SQLite's");
  file = service.address.file;
});
afterAll(async () => {
  for (const holder of holders) holder.kill();
  await service.close();
});

/** Has another process take the lock, and give it back when it is told to. */
const holdLock = async (): Promise<{ release: () => Promise<unknown> }> => {
  const program = new URL("../testing/hold-lock.ts", import.meta.url);
  const holder = fork(program, [file]);
  holders.push(holder);
  holder.send("hold");
  expect(await once(holder, "message")).toEqual(["held", undefined]);
  return {
    release: () => {
      const released = once(holder, "message");
      holder.send("release");
      return released;
    },
  };
};

type Impression = { requestId: string; offerId: string };
/** As its event is stored: the request's key stands in its id behind a header of four. */
const keyOf = ({ requestId, offerId }: Impression): string => `${requestId.slice(8, 24)} ${offerId}`;

const timed = async (call: () => Promise<Answer>) => {
  const startedAt = performance.now();
  const answer = await call();
  return { answer, milliseconds: performance.now() - startedAt };
};

describe("while another process holds the write lock", () => {
  it("health and decisions answer at once, writes are 503, and nothing acknowledged is lost", async () => {
    const impressions: Impression[] = [];
    while (impressions.length < 21) {
      const { decision, offers } = await service.visit();
      impressions.push(...offers.map(({ id }) => ({ requestId: decision.requestId, offerId: id })));
    }
    const [afterwards, ...each] = impressions.slice(0, 21);
    const blockedBefore = Number(service.stored.events("blocked").length);
    const lock = await holdLock();
    const until = performance.now() + heldMs;

    const slow: number[] = [];
    let decided = 0;
    const writes: { answer: Answer; impression: Impression }[] = [];
    const pendingWrites: Promise<void>[] = [];
    while (performance.now() < until) {
      for (const path of ["/healthz", "/v1/decision?pub=pub_a&website=ws_a"]) {
        const { answer, milliseconds } = await timed(() => service.call(path));
        expect(answer.status).toBe(200);
        if (milliseconds > promptMs) slow.push(milliseconds);
      }
      decided += 1;
      const impression = each.pop();
      if (impression !== undefined) {
        const write = service.post("impression", impression).then((answer) => {
          writes.push({ answer, impression });
        });
        pendingWrites.push(write);
      }
    }
    // Nobody waits for the lock: it is still held.
    await Promise.all(pendingWrites);
    await lock.release();

    expect(decided).toBeGreaterThan(5);
    // Where the machine stood still, one or two were.
    expect(slow.length, slow.join()).toBeLessThan(decided / 4);
    const refused = writes.filter(({ answer }) => answer.status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { answer } of refused) expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    const kept = writes.filter(({ answer }) => answer.status === 204);
    expect(refused.length + kept.length).toBe(writes.length);

    await expect.poll(async () => (await service.post("impression", afterwards)).status).toBe(204);
    const stored = new Set(
      service.stored.events("impression").map(({ request, offer_id }) => `${request} ${offer_id}`),
    );
    expect(kept.filter(({ impression }) => !stored.has(keyOf(impression)))).toEqual([]);
    await expect.poll(() => service.stored.events("blocked").length).toBe(blockedBefore + decided);
    expect((await service.call("/readyz")).status).toBe(200);
  });

  const clickOf = async (visitor: number) => {
    const from = `203.0.113.${visitor}`;
    const { offers } = await service.visit({ from });
    return () => timed(() => service.follow(offers[0]?.url ?? "", { from }));
  };
  const billed = () => service.stored.table("ledger_line").filter(({ kind }) => kind === "click").length;

  it("a click waits for it longer than other writes do, and is billed", { timeout: 60_000 }, async () => {
    /** Says how long the click took. The lock is given back once another write was refused. */
    const tryOnce = async (visitor: number): Promise<number> => {
      const click = await clickOf(visitor);
      const { decision, offers } = await service.visit();
      const impression = { requestId: decision.requestId, offerId: offers[0]?.id };
      const before = billed();
      const { release } = await holdLock();
      const since = performance.now();
      const clicked = click();
      expect((await service.post("impression", impression)).status).toBe(503);
      await release();
      expect((await clicked).answer.status).toBe(302);
      const tookMs = performance.now() - since;
      if (tookMs < patienceMs) {
        expect(billed()).toBe(before + 1);
        expect(service.errors).toEqual([]);
      }
      service.errors.length = 0;
      return tookMs;
    };
    // A machine that stood still meanwhile has had the click wait for too long.
    let visitor = 105;
    while ((await tryOnce(visitor)) >= patienceMs) {
      visitor += 1;
      expect(visitor).toBeLessThan(115);
    }
  });

  it("beyond three seconds a click arrives unbilled, and is counted", async () => {
    const clicks = await Promise.all([102, 103, 104].map(clickOf));
    const before = billed();
    const { release } = await holdLock();
    const ended = await Promise.all(clicks.map((click) => click()));
    for (const { answer, milliseconds } of ended) {
      expect(answer.status).toBe(302);
      expect(answer.headers.location).toContain("https://brand.example/");
      expect(milliseconds).toBeGreaterThan(2900);
    }
    await release();
    const counted = () =>
      service.errors.reduce((sum, line) => sum + Number("clicks" in line ? line.clicks : Number.NaN), 0);
    await expect.poll(counted).toBe(3);
    await expect.poll(async () => (await service.call("/readyz")).status).toBe(200);
    expect(billed()).toBe(before);
  });

  it("the dashboard is read, says that it cannot save, and changes nothing; decisions go on", {
    timeout: 60_000,
  }, async () => {
    const { get, change } = await signedIn(service, { name: "Ada" });
    await get("/dash/api/me");
    const lock = await holdLock();
    /** Says how often both were answered while somebody saved. */
    const tryOnce = async (): Promise<number> => {
      const saving = change("PATCH", "/dash/api/me", { name: "Eve" });
      let isSaving = true;
      void saving.finally(() => {
        isSaving = false;
      });
      let readMeanwhile = 0;
      while (isSaving) {
        expect((await service.call("/v1/decision?pub=pub_a&website=ws_a")).status).toBe(200);
        expect((await get("/dash/api/me")).status).toBe(200);
        if (isSaving) readMeanwhile += 1;
      }
      const answer = await saving;
      expect(answer.status).toBe(503);
      expect(answer.headers["retry-after"]).toBeDefined();
      expect(answer.json()).toMatchObject({
        code: "unavailable",
        detail: expect.stringContaining("Nothing was changed"),
      });
      return readMeanwhile;
    };
    // Neither of the two waits for who saves, but a machine that stands still may have them take as long.
    let tries = 1;
    while ((await tryOnce()) === 0) {
      tries += 1;
      expect(tries, "tries in which nobody was answered meanwhile").toBeLessThan(4);
    }
    await lock.release();
    expect((await get("/dash/api/me")).json()).toMatchObject({ user: { name: "Ada" } });
    expect((await change("PATCH", "/dash/api/me", { name: "Eve" })).status).toBe(204);
  });
});
