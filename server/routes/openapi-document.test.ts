import { readFileSync, writeFileSync } from "node:fs";
import { errorCodes } from "@offers/contract/problem";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRateLimits } from "../http/rate-limits.ts";
import { recordExamples } from "../testing/example-calls.ts";
import { baseUrl, startTestService, type TestService } from "../testing/test-service.ts";
import { createOpenapiDocument } from "./openapi-document.ts";
import { operations } from "./openapi-operations.ts";

const file = new URL("./openapi-examples.json", import.meta.url);

describe("the OpenAPI document", () => {
  const document = createOpenapiDocument("https://offers.test");

  it("is valid in the eyes of an independent validator", async () => {
    const copy = JSON.parse(JSON.stringify(document));
    const verdict = await new Validator().validate(copy);
    expect(verdict.errors).toBeUndefined();
    expect(verdict.valid).toBe(true);
  });

  it("names every error code of the contract, but the ones of routes that are not there yet", () => {
    const named = new Set(JSON.stringify(document.paths).match(/(?<=`)\w+(?=`: )/g));
    const missing = Object.keys(errorCodes).filter((code) => !named.has(code));
    expect(missing.sort()).toEqual(["conflict", "method_not_allowed"]);
  });

  it("has an id of its own for each operation, a meaning for each parameter, and no unexplained answer", () => {
    const all = Object.values(document.paths ?? {}).flatMap(({ get, post }) =>
      [get, post].filter((one) => one !== undefined),
    );
    const ids = all.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { parameters = [], responses = {} } of all) {
      for (const parameter of parameters) expect(parameter).toHaveProperty("description");
      for (const response of Object.values(responses)) expect(response.description).not.toBe("");
    }
  });
});

describe("GET /v1/openapi.json and its examples", () => {
  let service: TestService;
  let seen: Awaited<ReturnType<typeof recordExamples>>;
  beforeAll(async () => {
    // The real limits: one of the examples is what a caller above them gets.
    service = await startTestService({ rateLimits: createRateLimits(1) });
    seen = await recordExamples(service);
    if (process.env.RECORD_EXAMPLES) writeFileSync(file, `${JSON.stringify(seen, null, 2)}\n`);
  });
  afterAll(() => service.close());

  it("stand in what GET /v1/openapi.json answers, to any origin", async () => {
    const answer = await service.call("/v1/openapi.json", { origin: "https://tools.example" });
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    expect(answer.json()).toEqual(JSON.parse(JSON.stringify(createOpenapiDocument(baseUrl))));
  });

  it("are what the service really answers, but for random ids (RECORD_EXAMPLES=1 writes them anew)", () => {
    expect(masked(JSON.stringify(seen))).toEqual(masked(readFileSync(file, "utf8")));
  });

  it("show every good answer that has a body, and every problem that can be provoked from outside", () => {
    const shown = new Set(
      Object.values(seen).flatMap((byStatus) => Object.values(byStatus).flatMap((one) => Object.keys(one))),
    );
    const hidden = Object.keys(errorCodes).filter((code) => !shown.has(code));
    expect(hidden.sort()).toEqual([
      "conflict",
      "internal_error",
      "method_not_allowed",
      "offer_gone",
      "overloaded",
      "unavailable",
    ]);
    for (const { id, answers } of Object.values(operations)) {
      for (const [status, name] of Object.entries<string>(answers)) {
        if (["recorded", "redirect", "pausedPage", "openapi"].includes(name)) continue;
        expect(seen[id]?.[status], `${id} ${status}`).toBeDefined();
      }
    }
  });
});

/** Ids, tokens and sealed requests differ from run to run. */
const masked = (text: string): unknown =>
  JSON.parse(text.replace(/\b(req|evt|dcl)_[\w-]{20,}/g, "$1_").replace(/\?t=[\w-]+/g, "?t="));
