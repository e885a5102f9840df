import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issueKey } from "../api-key.ts";
import { type Service, startService } from "../service.ts";
import type { Called, Given } from "./calls.ts";
import { compileClients, generateClients } from "./generate.ts";

const page = "http://localhost:8788";

type Sent = { url: string; headers: [string, string][] };

let service: Service;
let apiKey: string;
let integrationSecret: string;
const documents: Record<string, string> = {};
const sent: Sent[] = [];

/** Notes what a client really sends. */
const noting: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  sent.push({ url: request.url, headers: [...request.headers] });
  return await fetch(request);
};

/** A session that waits, as a page of the website opens it. */
const openSession = async (): Promise<string> => {
  const query = "pub=pub_northwind&website=ws_journal";
  const answer = await fetch(`${service.url}/v1/widget-decline/session?${query}`, {
    method: "POST",
    headers: { Origin: page },
  });
  const { sessionId } = (await answer.json()) as { sessionId: string };
  return sessionId;
};

const given = async (): Promise<Given> => {
  sent.length = 0;
  return { url: service.url, apiKey, integrationSecret, sessionId: await openSession(), fetch: noting };
};

/** The credential stands in one header of each call and nowhere else; only the trigger has another one. */
const expectCredentials = (): void => {
  for (const { url, headers } of sent) {
    expect(url).not.toMatch(/sk_|its_|pub=/);
    const wanted = url.endsWith("/trigger") ? integrationSecret : apiKey;
    const holders = headers.filter(([, value]) => /sk_|its_/.test(value));
    expect(holders).toEqual([["authorization", `Bearer ${wanted}`]]);
  }
};

beforeAll(async () => {
  service = await startService({ environment: { SEED_DEMO: "true", DEMO_PORT: "8788" } });
  // Of one website, so that a decision needs to name none.
  const issued = await service.admin<{ key: string }>(
    ...["key", "create", "--publisher", "publisher_northwind", "--website", "ws_journal"],
  );
  apiKey = issued.key;
  const { secret } = await service.admin<{ secret: string }>("secret", "create", "--website", "ws_journal");
  integrationSecret = secret;
  // Issued after both of these, and known to the service together with them.
  await issueKey(service);
  for (const [name, query] of [
    ["whole", ""],
    ["for-servers", "?group=server"],
  ] as const) {
    documents[name] = await (await fetch(`${service.url}/v1/openapi.json${query}`)).text();
    await generateClients(name, JSON.parse(documents[name]));
  }
}, 120_000);
afterAll(() => service?.stop());

describe("clients that are generated from the OpenAPI documents", () => {
  it("compile in strict mode, with every call that is made here", async () => {
    expect(await compileClients()).toBe("");
  }, 120_000);

  const clients: [string, (given: Given) => Promise<Called>][] = [
    [
      "openapi-fetch",
      async (given) => (await import("./calls-by-openapi-fetch.ts")).callByOpenapiFetch(given),
    ],
    ["@hey-api/openapi-ts", async (given) => (await import("./calls-by-hey-api.ts")).callByHeyApi(given)],
  ];

  it.each(clients)(
    "call every route of servers, with the key in Authorization alone: %s",
    async (_name, callAll) => {
      const called = await callAll(await given());
      expect(called).toEqual({
        decision: "serve_overlay",
        offerUrl: expect.stringMatching(/\/v1\/r\?t=[\w-]+$/),
        catalogueTotal: expect.any(Number),
        isAccepted: true,
        isRepeatedAlike: true,
        reportDates: expect.arrayContaining([expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]),
        csvHeader: expect.stringMatching(/^date,country,blocked,served/),
        isExplained: true,
        session: "ready",
        refusal: { code: "invalid_parameter", parameter: "country" },
      });
      const paths = new Set(sent.map(({ url }) => new URL(url).pathname));
      expect(paths).toEqual(new Set(Object.keys(JSON.parse(documents["for-servers"] ?? "").paths)));
      expectCredentials();
    },
    60_000,
  );

  it("call the shared paths by the whole document, with the key in Authorization alone", async () => {
    const { callSharedPaths } = await import("./calls-by-hey-api.ts");
    expect(await callSharedPaths(await given())).toEqual(["serve_overlay", expect.any(Number)]);
    expect(sent).toHaveLength(2);
    expectCredentials();
  }, 60_000);
});

describe.each(["whole", "for-servers"])("the document %s", (name) => {
  it("keeps every recommended rule of Redocly", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problemsOf = async (source: string) =>
      (await lintFromString({ source, absoluteRef: `${name}.json`, config })).map(
        ({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`,
      );
    const document = documents[name] ?? "";
    // The address of a machine of one's own is no fault of the document's.
    const published = document.replaceAll(service.url, "https://offers.test");
    expect(await problemsOf(published)).toEqual([]);
    expect(await problemsOf(published.replaceAll('"summary"', '"x-summary"'))).not.toEqual([]);
  }, 60_000);
});
