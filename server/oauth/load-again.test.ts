import { oauthPaths } from "@offers/contract/oauth";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { call } from "../testing/call.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const loading = vi.hoisted(() => ({ fails: true }));
vi.mock("./provider.ts", async (load) => {
  const provider = await load<typeof import("./provider.ts")>();
  return {
    createProvider: (...given: Parameters<typeof provider.createProvider>) => {
      if (loading.fails) throw new Error("EMFILE: too many open files");
      return provider.createProvider(...given);
    },
  };
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ log: () => undefined });
});
afterAll(() => service.close());

it("loads the library again for the next call where that has failed", async () => {
  const ask = async () => (await call(`${service.url}${oauthPaths.authorize}?client_id=nobody`)).status;
  expect(await ask()).toBe(500);
  loading.fails = false;
  expect(await ask()).toBe(400);
});
