import { problem } from "@offers/contract/problem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Call } from "../testing/call.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
/** A real requestId and an offer that was served under it. */
let requestId: string;
beforeAll(async () => {
  service = await startTestService();
  requestId = (await service.visit()).decision.requestId;
});
afterAll(() => service.close());

const decision = "/v1/decision?pub=pub_a&website=ws_a";
const offers = () => `/v1/offers?website=ws_a&requestId=${requestId}&country=DE`;

const expectProblem = async (path: string, given: Call, status: number, code: string, parameter?: string) => {
  const answer = await service.call(path, given);
  expect([answer.status, answer.headers["content-type"]]).toEqual([
    status,
    "application/problem+json; charset=utf-8",
  ]);
  const body = problem.strict().parse(answer.json());
  expect(body).toMatchObject({ code, status });
  expect(answer.headers["access-control-allow-origin"]).toBe("https://shop-a.example");
  if (parameter !== undefined) expect(body.errors?.map((error) => error.parameter)).toContain(parameter);
  // Never in the words of a library, which speak of types and not of what to change.
  for (const { message } of body.errors ?? []) expect(message).toMatch(/^(is|must|has) /);
  return answer;
};

describe("bad queries of GET /v1/decision", () => {
  it.each([
    ["website=ws_a", "missing_parameter", "pub"],
    ["pub=pub_a", "missing_parameter", "website"],
    ["pub=&website=ws_a", "missing_parameter", "pub"],
    ["pub=%20%09&website=ws_a", "missing_parameter", "pub"],
    ["", "missing_parameter", "website"],
    ["pub=pub_a&website=ws_a&website=ws_b", "repeated_parameter", "website"],
    ["pub=pub_a&website=ws_a&website=ws_a", "repeated_parameter", "website"],
    ["pub=pub_a&website=ws_a&website=", "repeated_parameter", "website"],
    ["pub=pub_a&website=ws_a&mode=section&mode=section", "repeated_parameter", "mode"],
    ["pub[]=pub_a&website=ws_a", "missing_parameter", "pub"],
    ["pub[a]=pub_a&website=ws_a", "missing_parameter", "pub"],
    ["pub=ws_a&website=ws_a", "invalid_parameter", "pub"],
    ["pub=pub_&website=ws_a", "invalid_parameter", "pub"],
    [`pub=pub_${"a".repeat(65)}&website=ws_a`, "invalid_parameter", "pub"],
    [`pub=pub_a&website=ws_${"a".repeat(1500)}`, "invalid_parameter", "website"],
    ["pub=pub_a&website=ws_%00", "invalid_parameter", "website"],
    ["pub=pub_a&website=ws_a%0A", "invalid_parameter", "website"],
    ["pub=pub_a&website=ws_%F0%9F%98%80", "invalid_parameter", "website"],
    ["pub=pub_a&website=ws_%ED%A0%80", "invalid_parameter", "website"],
    ["pub=pub_a&website=ws_%E0%A4%A", "invalid_parameter", "website"],
    ["pub=pub_a&website=__proto__", "invalid_parameter", "website"],
    ["pub=pub_a&website=ws_a&mode=x", "invalid_parameter", "mode"],
    ["pub=pub_a&website=ws_a&mode=Section", "invalid_parameter", "mode"],
    ["pub=pub_a&website=ws_a&country=usa", "invalid_parameter", "country"],
    ["pub=pub_a&website=ws_a&country=1!", "invalid_parameter", "country"],
    ["pub=pub_a&website=ws_a&country=XQ", "invalid_parameter", "country"],
    ["pub=pub_a&website=ws_a&country=UK", "invalid_parameter", "country"],
    ["pub=pub_a&website=ws_a&country=DE&country=FR", "repeated_parameter", "country"],
    [`pub=pub_a&website=ws_a&region=${"N".repeat(300)}`, "invalid_parameter", "region"],
    ["pub=pub_a&website=ws_a&region=N-J", "invalid_parameter", "region"],
    ["pub=pub_a&website=ws_a&country=DE&region=US-NJ", "invalid_parameter", "region"],
    ["pub=pub_a&website=ws_a&country=US&region=XX", "invalid_parameter", "region"],
  ])("%s: %s of %s", async (query, code, parameter) => {
    await expectProblem(`/v1/decision?${query}`, {}, 400, code, parameter);
  });

  it("refuses a query of more than 2,048 bytes unread", async () => {
    await expectProblem(`${decision}&x=${"a".repeat(2048)}`, {}, 400, "malformed_request");
  });

  it("does not look at names that it does not know", async () => {
    const answer = await service.call(`${decision}&__proto__=x&constructor=y&utm=1&utm=2&toString`);
    expect(answer.status).toBe(200);
  });
});

describe("bad queries of GET /v1/offers", () => {
  it.each([
    ["requestId=req_a&country=DE", "missing_parameter", "website"],
    ["website=ws_a&country=DE", "missing_parameter", "requestId"],
    ["website=ws_a&requestId=req_a", "missing_parameter", "country"],
    ["website=ws_a&requestId=req_a&country=", "missing_parameter", "country"],
    ["website=ws_a&requestId=req_a&requestId=req_b&country=DE", "repeated_parameter", "requestId"],
    ["website=ws_a&requestId=rubbish&country=DE", "invalid_request_id", "requestId"],
    ["website=ws_a&requestId=req_&country=DE", "invalid_request_id", "requestId"],
    ["website=ws_a&requestId=req_a%20b&country=DE", "invalid_request_id", "requestId"],
    [`website=ws_a&requestId=req_${"a".repeat(500)}&country=DE`, "invalid_request_id", "requestId"],
    ["website=ws_a&requestId=req_a&country=DEU", "invalid_parameter", "country"],
    ["website=ws_a&requestId=req_a&country=DE&region=1234", "invalid_parameter", "region"],
    ["website=ws_a&requestId=req_a&country=DE&limit=0", "invalid_parameter", "limit"],
    ["website=ws_a&requestId=req_a&country=DE&limit=21", "invalid_parameter", "limit"],
    ["website=ws_a&requestId=req_a&country=DE&limit=-1", "invalid_parameter", "limit"],
    ["website=ws_a&requestId=req_a&country=DE&limit=1.5", "invalid_parameter", "limit"],
    ["website=ws_a&requestId=req_a&country=DE&limit=1e1", "invalid_parameter", "limit"],
    ["website=ws_a&requestId=req_a&country=DE&limit=9007199254740993", "invalid_parameter", "limit"],
    ["website=ws_a&requestId=req_a&country=DE&limit=5&limit=6", "repeated_parameter", "limit"],
  ])("%s: %s of %s", async (query, code, parameter) => {
    await expectProblem(`/v1/offers?${query}`, {}, 400, code, parameter);
  });

  it("has a code of its own for a requestId that nobody made", async () => {
    await expectProblem(
      `/v1/offers?website=ws_a&requestId=req_abc&country=DE`,
      {},
      400,
      "invalid_request_id",
      "requestId",
    );
    await expectProblem(
      `/v1/offers?website=ws_a&requestId=req_${"A".repeat(90)}&country=DE`,
      {},
      400,
      "invalid_request_id",
    );
    expect((await service.call(offers())).status).toBe(200);
  });

  it("answers a requestId of 10 KB with 400", async () => {
    await expectProblem(
      `/v1/offers?website=ws_a&requestId=req_${"a".repeat(10_000)}&country=DE`,
      {},
      400,
      "malformed_request",
    );
  });
});

/** A body, or what replaces members of a good one. */
const bodies: [string, Record<string, unknown>, string, string][] = [
  ["no requestId", { requestId: undefined }, "missing_parameter", "requestId"],
  ["a blank requestId", { requestId: " " }, "missing_parameter", "requestId"],
  ["null for a requestId", { requestId: null }, "invalid_request_id", "requestId"],
  ["a number for a requestId", { requestId: 1 }, "invalid_request_id", "requestId"],
  ["an array for a requestId", { requestId: ["req_a"] }, "invalid_request_id", "requestId"],
  ["a long requestId", { requestId: `req_${"a".repeat(401)}` }, "invalid_request_id", "requestId"],
  ["a requestId that nobody made", { requestId: "req_abc" }, "invalid_request_id", "requestId"],
  ["no offerId", { offerId: undefined }, "missing_parameter", "offerId"],
  ["an offerId of another kind", { offerId: "ws_a" }, "invalid_parameter", "offerId"],
  ["a long offerId", { offerId: `offer_${"a".repeat(65)}` }, "invalid_parameter", "offerId"],
  ["a lone surrogate", { offerId: "offer_\ud800" }, "invalid_parameter", "offerId"],
  ["a control character", { offerId: "offer_a\u0000" }, "invalid_parameter", "offerId"],
  ["an object for an offerId", { offerId: { $ne: "" } }, "invalid_parameter", "offerId"],
  ["an unknown placement", { placement: "middle" }, "invalid_parameter", "placement"],
  ["an unknown surface", { surface: "page" }, "invalid_parameter", "surface"],
  ["position 0", { position: 0 }, "invalid_parameter", "position"],
  ["half a position", { position: 1.5 }, "invalid_parameter", "position"],
  ["a position as text", { position: "1" }, "invalid_parameter", "position"],
  ["a website of another kind", { website: "pub_a" }, "invalid_parameter", "website"],
  ["a pub of another kind", { pub: 7 }, "invalid_parameter", "pub"],
  ["a blank pub, which may be left out", { pub: "" }, "invalid_parameter", "pub"],
];

describe("a member of a body that stands twice", () => {
  it("counts as it stands last", async () => {
    const [first, last] = [`"requestId":"req_forged"`, `"requestId":"${requestId}"`];
    const send = (...members: string[]) =>
      service.post("impression", `{${[...members, '"offerId":"offer_best"'].join()}}`);
    expect((await send(first, last)).status).toBe(204);
    expect((await send(last, first)).json()).toMatchObject({ code: "invalid_request_id" });
  });
});

describe.each(["impression", "click"] as const)("bad bodies of POST /v1/events/%s", (event) => {
  const path = `/v1/events/${event}`;
  const good = () => ({ requestId, offerId: "offer_best" });

  it.each(bodies)("%s", async (_, change, code, parameter) => {
    const stored = () => service.stored.events().length;
    const before = stored();
    await expectProblem(path, { method: "POST", body: { ...good(), ...change } }, 400, code, parameter);
    expect(stored()).toBe(before);
  });

  it.each([
    ["nothing", "", 400, "invalid_body"],
    ["text that is no JSON", "{", 400, "invalid_body"],
    ["null", "null", 400, "invalid_body"],
    ["a string", '"x"', 400, "invalid_body"],
    ["a number", "1", 400, "invalid_body"],
    ["an array", "[]", 400, "invalid_body"],
    ["an array of events", '[{"requestId":"req_a"}]', 400, "invalid_body"],
    ["JSON after a byte order mark", "\ufeff{}", 400, "missing_parameter"],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), 400, "invalid_body"],
    [
      "200 members",
      JSON.stringify(Object.fromEntries([...Array(200).keys()].map((n) => [`m${n}`, n]))),
      400,
      "invalid_body",
    ],
    [
      "200 members further down",
      JSON.stringify({ clientHints: { list: Array(200).fill(0) } }),
      400,
      "invalid_body",
    ],
    ["8,000 levels", "[".repeat(8000), 400, "invalid_body"],
    ["4,000 closed levels", `{"a":${"[".repeat(4000)}${"]".repeat(4000)}}`, 400, "invalid_body"],
    ["16 KiB and a byte", `{"a":"${"x".repeat(16 * 1024 - 7)}"}`, 413, "body_too_large"],
    ["a megabyte", " ".repeat(1 << 20), 413, "body_too_large"],
  ])("%s", async (_, body, status, code) => {
    await expectProblem(path, { method: "POST", body }, status, code);
  });

  it("takes a body of exactly 16 KiB", async () => {
    const padding = "x".repeat(16 * 1024 - JSON.stringify({ ...good(), x: "" }).length);
    const answer = await service.call(path, { method: "POST", body: { ...good(), x: padding } });
    expect(answer.status).toBe(204);
  });

  it.each([
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/html",
    "application/json; charset=utf-16",
    "text/plain; charset=iso-8859-1",
    "application/problem+json",
    "*/*",
    "",
  ])("a body that is called %j", async (type) => {
    const given = { method: "POST", body: good(), headers: { "Content-Type": type } };
    await expectProblem(path, given, 415, "unsupported_media_type");
  });
});

describe("bad bodies of one route", () => {
  it.each([
    ["impression", { clientHints: "x" }, "clientHints"],
    ["impression", { clientHints: { visibleRatio: 1.1 } }, "clientHints.visibleRatio"],
    ["impression", { clientHints: { viewportWidth: -1 } }, "clientHints.viewportWidth"],
    ["impression", { clientHints: { language: "x".repeat(300) } }, "clientHints.language"],
    ["impression", { clientHints: { timezone: "Europe/\nBerlin" } }, "clientHints.timezone"],
    ["impression", { clientHints: { timezone: "\udc00" } }, "clientHints.timezone"],
    ["click", { country: "Germany" }, "country"],
    ["click", { region: "x".repeat(300) }, "region"],
  ])("%s with %j", async (event, change, parameter) => {
    const body = { requestId, offerId: "offer_best", ...change };
    await expectProblem(`/v1/events/${event}`, { method: "POST", body }, 400, "invalid_parameter", parameter);
  });

  it.each([
    [{ websiteKey: undefined }, "missing_parameter", "websiteKey"],
    [{ websiteKey: "" }, "missing_parameter", "websiteKey"],
    [{ websiteKey: 5 }, "invalid_parameter", "websiteKey"],
    [{ url: "javascript:alert(1)" }, "invalid_parameter", "url"],
    [{ url: "https://shop-a.example/?token=secret" }, "invalid_parameter", "url"],
    [{ url: `https://shop-a.example/${"x".repeat(256)}` }, "invalid_parameter", "url"],
    [{ url: "https://shop-a.example/\u2028" }, "invalid_parameter", "url"],
    [{ scriptVersion: "x".repeat(33) }, "invalid_parameter", "scriptVersion"],
    [{ scriptVersion: "<b>" }, "invalid_parameter", "scriptVersion"],
    [{ surface: "everywhere" }, "invalid_parameter", "surface"],
  ])("snippet-ping with %j: %s", async (change, code, parameter) => {
    const body = { websiteKey: "ws_a", ...change };
    await expectProblem("/v1/events/snippet-ping", { method: "POST", body }, 400, code, parameter);
  });
});

it("never fails inside the service", () => {
  expect(service.errors).toEqual([]);
});
