import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../testing/call.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

/** How long another process keeps the database's write lock, and what answers must not wait for. */
const heldMs = 5_000;
const promptMs = 250;

let service: TestService;
let holder: ChildProcess;
beforeAll(async () => {
  service = await startTestService();
  holder = fork(new URL("../testing/hold-lock.ts", import.meta.url), [service.databaseFile, String(heldMs)]);
});
afterAll(async () => {
  holder.kill();
  await service.close();
});

const timed = async (call: () => Promise<Answer>) => {
  const startedAt = performance.now();
  const answer = await call();
  return { answer, milliseconds: performance.now() - startedAt };
};

describe("while another process holds the write lock", () => {
  it("health and decisions answer at once, writes are 503, and nothing acknowledged is lost", async () => {
    const { decision, offers } = await service.visit();
    const impression = { requestId: decision.requestId, offerId: offers[0]?.id };
    const blockedBefore = Number(service.stored.events("blocked").length);
    holder.send("hold");
    expect(await once(holder, "message")).toEqual(["held", undefined]);
    let isHeld = true;
    const released = once(holder, "message").then(() => {
      isHeld = false;
    });

    const slow: number[] = [];
    let decided = 0;
    const writes: Answer[] = [];
    const pendingWrites: Promise<void>[] = [];
    while (isHeld) {
      for (const path of ["/healthz", "/v1/decision?pub=pub_a&website=ws_a"]) {
        const { answer, milliseconds } = await timed(() => service.call(path));
        expect(answer.status).toBe(200);
        if (milliseconds > promptMs) slow.push(milliseconds);
      }
      decided += 1;
      if (pendingWrites.length < 20) {
        const write = service.post("impression", impression).then((answer) => {
          writes.push(answer);
        });
        pendingWrites.push(write);
      }
    }
    await released;
    await Promise.all(pendingWrites);

    expect(slow).toEqual([]);
    expect(decided).toBeGreaterThan(5);
    const refused = writes.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(writes.every(({ status }) => status === 503 || status === 204)).toBe(true);

    await expect
      .poll(async () => (await service.post("impression", impression)).status, { timeout: 5_000 })
      .toBe(204);
    await expect
      .poll(() => service.stored.events("blocked").length, {
        timeout: 5_000,
      })
      .toBe(blockedBefore + decided);
    expect((await service.call("/readyz")).status).toBe(200);
  });
});
