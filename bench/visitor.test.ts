import { expect, test } from "vitest";
import type { MadeWebsite } from "./catalogue.ts";
import type { HttpClient } from "./http-client.ts";
import { visitorAt, visitPage, visitPatiently } from "./visitor.ts";

const website = { origin: "https://shop.example", publicKey: "pk_a", websiteKey: "ws_a" } as MadeWebsite;
const visitor = visitorAt(1, website);

/** A service whose offers are answered with these one after the other. */
const answering = (...statuses: number[]): HttpClient => ({
  get: async (path) => {
    const isDecision = path.startsWith("/v1/decision");
    const status = isDecision ? 200 : (statuses.shift() ?? 200);
    const body = JSON.stringify(
      isDecision ? { requestId: "req_1", country: "DE" } : { premium: [], standard: [] },
    );
    return { status, headers: {}, body };
  },
  post: () => Promise.reject(new Error("nothing is posted")),
  close: () => undefined,
});

test("a visit that only prepares something is tried again where the service has too much to do", async () => {
  await expect(visitPage(answering(503), website, visitor)).rejects.toThrow("expected 200, got 503");
  expect((await visitPatiently(answering(503, 503), website, visitor)).offers).toEqual([]);
});

test("and any other answer ends it at once", async () => {
  await expect(visitPatiently(answering(500), website, visitor)).rejects.toThrow("expected 200, got 500");
});
