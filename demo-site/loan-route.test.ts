import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { listenOnLoopback, type OpenSite } from "./listen-on-loopback.ts";
import { loanRoutes } from "./loan-route.ts";

const integrationSecret = "its_ofTheTest";
const tooMuch = { amount: "20000", months: "24", income: "1500", employment: "employed", onRegister: false };
const sessionId = "dcl_c2Vzc2lvbg";

type Call = { path: string; headers: IncomingHttpHeaders; body: string };

/** Stands in for the service: notes what it is told, and answers as the test has it. */
const calls: Call[] = [];
let serviceStatus = 200;
/** How many calls' connections close unanswered. */
let closing = 0;
const service = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  calls.push({ path: `${request.method} ${request.url}`, headers: request.headers, body });
  if (serviceStatus === 0) return;
  closing -= 1;
  if (closing >= 0) return void response.destroy();
  const headers = serviceStatus === 307 ? { Location: "/elsewhere" } : {};
  response.writeHead(serviceStatus, headers).end("{}");
});

let site: OpenSite;
let base = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const serviceOrigin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const app = express();
  app.use("/loan", loanRoutes({ serviceOrigin, integrationSecret }));
  app.use("/in-a-hurry", loanRoutes({ serviceOrigin, integrationSecret, patienceMs: 500 }));
  const listening = await listenOnLoopback(app, 0);
  if (!listening.ok) throw new Error(listening.reason);
  site = listening.site;
  base = `http://127.0.0.1:${site.port}`;
});

beforeEach(() => {
  calls.length = 0;
  serviceStatus = 200;
  closing = 0;
});

afterAll(async () => {
  await site.close();
  service.closeAllConnections();
  service.close();
});

const post = async (path: string, body: unknown, type = "application/json") => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(base + path, { method: "POST", headers: { "Content-Type": type }, body: text });
  return { status: answer.status, text: await answer.text() };
};

/** The reference to the refusal of an applicant. */
const refusal = async (application: object = tooMuch, lender = "/loan"): Promise<unknown> => {
  const { text } = await post(`${lender}/apply`, application);
  return Reflect.get(Object(JSON.parse(text)), "reference");
};

test("an approved applicant is nobody's business, session or not", async () => {
  const { status, text } = await post("/loan/apply", { ...tooMuch, amount: "500", sessionId });
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({
    outcome: "approved",
    monthlyPayment: expect.any(String),
    total: expect.any(String),
  });
  expect(calls).toEqual([]);
});

test("a declined one is told why, with a reference of its own, and the service nothing", async () => {
  const { text } = await post("/loan/apply", { ...tooMuch, sessionId });
  expect(JSON.parse(text)).toMatchObject({ outcome: "declined", reason: "amount_above_income" });
  expect(JSON.parse(text).reference).toMatch(/^[\w-]{36}$/);
  expect(await refusal()).not.toBe(JSON.parse(text).reference);
  expect(calls).toEqual([]);
});

test("a session is told to the service with the secret and the reason of the refusal that the page names", async () => {
  const reference = await refusal({ ...tooMuch, onRegister: true });
  // What else the page says of the applicant changes nothing.
  const claimed = { ...tooMuch, reason: "amount_above_income" };
  const { status, text } = await post("/loan/offers", { ...claimed, reference, sessionId });
  expect([status, JSON.parse(text)]).toEqual([200, { offers: "ready" }]);
  expect(calls).toHaveLength(1);
  const [{ path, headers, body }] = calls as [Call];
  expect(path).toBe("POST /v1/widget-decline/trigger");
  expect(headers.authorization).toBe(`Bearer ${integrationSecret}`);
  expect(headers.origin).toBe(undefined);
  expect(JSON.parse(body)).toEqual({ sessionId, reason: "self_excluded" });
});

test("a refusal is used once, and is that of its own lender alone", async () => {
  const reference = await refusal();
  const offers = (lender: string) => post(`${lender}/offers`, { reference, sessionId });
  expect((await offers("/in-a-hurry")).status).toBe(404);
  expect((await offers("/loan")).status).toBe(200);
  expect(await offers("/loan")).toEqual({ status: 404, text: expect.stringContaining("No refusal is kept") });
  expect(calls).toHaveLength(1);
});

test.each([[undefined], [""], [7], [["a"]], ["of-nobody"], ["__proto__"]])(
  "%o is no reference, and goes nowhere",
  async (reference) => {
    const { status, text } = await post("/loan/offers", { ...tooMuch, reference, sessionId });
    expect([status, JSON.parse(text)]).toEqual([404, { error: expect.any(String) }]);
    expect(calls).toEqual([]);
  },
);

test.each([
  [404, "session_over"],
  [410, "session_over"],
  [401, "unavailable"],
  [429, "unavailable"],
  [503, "unavailable"],
  // The secret goes nowhere else.
  [307, "unavailable"],
  // The service does not answer at all; a route with little patience is asked.
  [0, "unavailable", "/in-a-hurry"],
])("the page is told what came of it when the service says %i", async (status, offers, lender = "/loan") => {
  const complain = vi.spyOn(console, "error").mockImplementation(() => {});
  serviceStatus = status;
  const reference = await refusal(tooMuch, lender);
  const { text } = await post(`${lender}/offers`, { reference, sessionId });
  expect(JSON.parse(text)).toEqual({ offers });
  expect(calls).toHaveLength(1);
  expect(JSON.stringify(complain.mock.calls)).not.toContain(integrationSecret);
  complain.mockRestore();
});

test.each([
  ["closes once is asked again", 1, "ready"],
  ["closes each time is given up", 2, "unavailable"],
])("a service whose connection %s", async (_what, times, offers) => {
  closing = times;
  const { text } = await post("/loan/offers", { reference: await refusal(), sessionId });
  expect(JSON.parse(text)).toEqual({ offers });
  expect(calls).toHaveLength(2);
  expect(calls[1]?.body).toBe(calls[0]?.body);
});

test.each([[undefined], ["its_own"], [["dcl_a"]], [7], [`dcl_${"a".repeat(65)}`], ["dcl_../x"]])(
  "%o is no session, and goes nowhere",
  async (odd) => {
    const { status } = await post("/loan/offers", { reference: await refusal(), sessionId: odd });
    expect(status).toBe(400);
    expect(calls).toEqual([]);
  },
);

test.each([
  ["{}", "application/json", 400],
  ["{", "application/json", 400],
  ["null", "application/json", 400],
  [`{"amount":"${"1".repeat(5000)}"}`, "application/json", 413],
  ["amount=20000", "application/x-www-form-urlencoded", 415],
  [JSON.stringify(tooMuch), "text/plain", 415],
])("%s as %s is not decided", async (body, type, expected) => {
  const { status, text } = await post("/loan/apply", body, type);
  expect(status).toBe(expected);
  expect(text).not.toContain("outcome");
  expect(calls).toEqual([]);
});
