import type { DecisionAnswer } from "@offers/contract/decision";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRequestId } from "../core/request-id.ts";
import { german, newJersey, nowhere } from "../testing/call.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const blockedRows = () => service.stored.events("blocked");
const factsOf = (requestId: string) => openRequestId(service.context.tokenKeys, requestId);

describe("GET /v1/decision", () => {
  it("tells a blocked visitor's page why, and what to draw", async () => {
    const decision = await service.decide({ from: german });
    expect(decision).toEqual({
      allowed: false,
      requestId: expect.stringMatching(/^req_/),
      country: "DE",
      region: "",
      blocked: {
        reason: "country_not_allowed",
        title: "Not in your country",
        message: "We are sorry.",
        supportContact: { email: "help@shop-a.example" },
        dismissible: true,
        fallback: { url: "https://shop-a.example/offers", label: "Our own offers" },
      },
      settings: {
        theme: "auto",
        language: "",
        trigger: "pause",
        placement: "center",
        frequency: "closed",
        show: true,
      },
    });
  });

  it("tells an allowed visitor's page nothing about blocking, and records nothing", async () => {
    const before = blockedRows().length;
    const decision = await service.decide({ from: newJersey });
    expect(decision).toMatchObject({ allowed: true, country: "US", region: "NJ" });
    expect(decision).not.toHaveProperty("blocked");
    expect(blockedRows().length).toBe(before);
  });

  it("records a blocked visit once, under the website's vertical, before it answers", async () => {
    const { requestId } = await service.decide();
    const request = factsOf(requestId)?.request;
    expect(blockedRows().filter((row) => row.request === request)).toEqual([
      expect.objectContaining({ vertical: "news", country: "DE", surface: "overlay", test: 0, reason: null }),
    ]);
  });

  it("lets a visitor from nowhere through where the website's rule says so", async () => {
    const decision = await service.decide({ from: nowhere });
    expect(decision).toMatchObject({ allowed: true, country: "ZZ", region: "" });
  });

  it("records nothing for a section, and seals that it is one", async () => {
    const before = blockedRows().length;
    const decision = await service.decide({ query: "&mode=section" });
    expect(decision.allowed).toBe(false);
    expect(factsOf(decision.requestId)).toMatchObject({ surface: "section", allowed: false });
    expect(blockedRows().length).toBe(before);
  });

  it("seals the request to its website, place, visitor and time", async () => {
    const { requestId } = await service.decide();
    expect(factsOf(requestId)).toMatchObject({
      websiteId: service.context.store.catalogue().website("ws_a")?.id,
      country: "DE",
      test: false,
      visitor: expect.stringMatching(/^[\w-]{22}$/),
      issuedAt: service.context.clock(),
    });
  });

  it.each(["Sec-GPC", "DNT"])(
    "makes no visitor hash for one who asked by %s not to be followed",
    async (name) => {
      const { requestId } = await service.decide({ headers: { [name]: "1" } });
      expect(factsOf(requestId)?.visitor).toBeNull();
    },
  );

  it.each([
    ["&country=FR&region=IDF", german, "DE", ""],
    ["&country=fr&region=IDF", nowhere, "FR", "IDF"],
    ["&country=US&region=US-NJ", nowhere, "US", "NJ"],
    ["&region=IDF", nowhere, "ZZ", ""],
    ["&country=&region=", nowhere, "ZZ", ""],
  ])("takes the hint %s from %s for %s-%s", async (query, from, country, region) => {
    expect(await service.decide({ query, from })).toMatchObject({ country, region });
  });

  it.each([
    "&dev-country=US",
    "&dev-country=us&dev-region=NJ",
    "&dev-country=US&dev-region=US-NJ",
    "&dev-region=NJ",
    "&dev-country=ZZ",
    "&dev-country=notacountry",
    "&dev-country=US&dev-country=FR",
    "&dev_country=US",
    "&devCountry=US",
    "&DEV-COUNTRY=US",
    "&dev-country=%F0%9F%87%BA%F0%9F%87%B8",
    "&dev-country=US&mode=",
  ])("ignores %s on a live website", async (query) => {
    const decision = await service.decide({ query });
    expect(decision).toMatchObject({ country: "DE", region: "", allowed: false });
    expect(factsOf(decision.requestId)?.test).toBe(false);
  });

  it.each([
    ["", "DE", ""],
    ["&dev-country=US", "US", ""],
    ["&dev-country=us&dev-region=us-nj", "US", "NJ"],
    ["&dev-country=ZZ&dev-region=NJ", "ZZ", ""],
    ["&dev-region=BE", "DE", "BE"],
    ["&dev-region=de-be", "DE", "BE"],
    ["&dev-country=FR&country=US", "FR", ""],
  ])("simulates %s on a development website, as test traffic", async (query, country, region) => {
    const decision = await service.decide({ website: "ws_dev", query });
    expect(decision).toMatchObject({ country, region });
    expect(factsOf(decision.requestId)?.test).toBe(true);
  });

  it.each([
    ["&dev-country=usa", "dev-country"],
    ["&dev-country=XQ", "dev-country"],
    ["&dev-region=N%20J", "dev-region"],
    ["&dev-region=NJ", "dev-region"],
    // Of another country, in which there is a region of the same code.
    ["&dev-country=AU&dev-region=US-WA", "dev-region"],
    ["&dev-region=CH-BE", "dev-region"],
    ["&country=AU&region=US-WA", "region"],
  ])("says what is wrong with %s on a development website", async (query, parameter) => {
    const answer = await service.call(`/v1/decision?pub=pub_a&website=ws_dev${query}`, {
      origin: "https://dev.shop-a.example",
    });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: "invalid_parameter", errors: [{ parameter }] });
  });

  it("names both missing parameters, for any origin and for none", async () => {
    for (const origin of ["https://shop-a.example", "https://evil.example", null]) {
      const answer = await service.call("/v1/decision?pub=&website=%20", { origin });
      expect(answer.status).toBe(400);
      expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
      expect(answer.json()).toMatchObject({
        code: "missing_parameter",
        status: 400,
        errors: [
          { parameter: "pub", message: "is required" },
          { parameter: "website", message: "is required" },
        ],
      });
    }
  });

  it("answers from memory, so that no two answers may be stored or mixed up", async () => {
    const answer = await service.call("/v1/decision?pub=pub_a&website=ws_a");
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      vary: "Origin",
      "access-control-allow-origin": "https://shop-a.example",
    });
    expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
    expect(answer.json<DecisionAnswer>().requestId).not.toBe((await service.decide()).requestId);
  });

  it("writes no error line on the way", () => {
    expect(service.errors).toEqual([]);
  });
});
