import { expect, onTestFinished, test } from "vitest";
import { startService } from "../service.ts";
import { checkSeenBefore, visitDemo } from "./upgrade.ts";

test("what a visitor had of a release is asked of the next one, and missed where it is gone", async () => {
  const service = await startService({ environment: { SEED_DEMO: "true", DEMO_PORT: "8788" } });
  onTestFinished(async () => {
    await service.stop();
  });
  const seen = await visitDemo(service.url, "http://localhost:8788");
  await service.terminate();
  await service.start();
  const kept = await checkSeenBefore(service.url, seen);
  expect(kept.map(({ holds }) => holds)).toEqual([true, true]);
  const lost = await checkSeenBefore(service.url, {
    link: `${service.url}/v1/r?t=none`,
    chunks: [...seen.chunks, "/c/gone.js"],
  });
  expect(lost).toMatchObject([
    { holds: false, seen: "400, wanted 302" },
    { holds: false, seen: "/c/gone.js, wanted none" },
  ]);
}, 60_000);
