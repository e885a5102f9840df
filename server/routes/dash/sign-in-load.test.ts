import { argon2Sync } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { argon2 } from "../../core/password-hash.ts";
import { signedIn } from "../../testing/dash-calls.ts";
import { baseUrl, startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  // The desk's thread starts with the first who asks, and is no part of what is measured.
  await (await signedIn(service)).get("/dash/api/me");
});
afterAll(() => service.close());

/** How many milliseconds one password takes here and now. */
const hashMs = (): number => {
  const since = performance.now();
  argon2Sync("argon2id", { message: "wrong wrong", nonce: Buffer.alloc(16), ...argon2 });
  return performance.now() - since;
};

it("holds no visitor up while forty passwords are tried at once", async () => {
  const onePassword = Math.min(hashMs(), hashMs(), hashMs());
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      service.call("/dash/sign-in", {
        method: "POST",
        origin: baseUrl,
        body: new URLSearchParams({ email: `nobody-${at}@example.com`, password: "wrong wrong" }).toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
      }),
    ),
  );
  delay.disable();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
  // A password that was hashed on the event loop would hold it up for as long as it takes, forty times.
  const allButTwenty = 100 * (1 - 20 / delay.count);
  expect(delay.count).toBeGreaterThan(40);
  expect(delay.percentile(allButTwenty) / 1e6).toBeLessThan(0.8 * onePassword);
});
