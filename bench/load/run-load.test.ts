import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runLoad } from "./run-load.ts";
import { createVisits } from "./visits.ts";

/** Answers as the service would, and notes what it was asked. */
let received: string[] = [];
let statusOf = (_index: number): number => 200;
let closes = false;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const status = statusOf(received.length);
    const address = request.headers["x-forwarded-for"];
    received.push(`${request.method} ${request.url} ${Buffer.concat(chunks)} ${address}`.trim());
    if (closes) response.setHeader("connection", "close");
    if (request.url?.startsWith("/v1/events")) response.writeHead(204).end();
    else if (request.url?.startsWith("/v1/r")) response.writeHead(302, { location: "/" }).end();
    else if (request.url?.startsWith("/v1/offers")) response.end(offersText);
    else if (request.url?.startsWith("/v1/decision")) response.end('{"requestId":"req_1","country":"DE"}');
    else if (status === 200) {
      // In chunks, without a length.
      response.writeHead(200).write("bo");
      response.end("dy");
    } else response.writeHead(status, { "content-length": "4" }).end("gone");
  });
});
const offersText = JSON.stringify({
  requestId: "req_1",
  premium: [{ id: "offer_1", placement: "premium", position: 1, url: "http://127.0.0.1:1/v1/r?t=one" }],
  standard: [],
});
const world = {
  websites: [{ websiteKey: "ws_1", publicKey: "pub_1", origin: "https://one.example" }],
  places: [{ country: "DE", prefixes: ["81.92"] }],
  authorization: "Bearer key",
};
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
beforeEach(() => {
  received = [];
  closes = false;
  statusOf = () => 200;
});
afterAll(() => {
  server.close();
});

const counted = (requests: number) => ({ kind: "counted", clients: 4, requests }) as const;

test("every request is sent once, from an address of its own, and every answer is counted by its kind", async () => {
  statusOf = (index) => (index % 10 === 0 ? 503 : index % 10 === 1 ? 404 : 200);
  const visits = createVisits(world, 1);
  const [result] = await runLoad({ url, traffic: "yardstick", shape: counted(60) }, visits);
  expect(result).toMatchObject({ good: 48, refused: 6, wrong: { "yardstick 404": 6 }, unsent: 0, events: 0 });
  expect(new Set(received).size).toBe(60);
});

test("a connection that the server closes after an answer is replaced", async () => {
  closes = true;
  const visits = createVisits(world, 1);
  const [result] = await runLoad({ url, traffic: "yardstick", shape: counted(40) }, visits);
  expect(result).toMatchObject({ good: 40, wrong: {} });
});

test("a visit follows from what it was answered: offers once, then an impression and a click", async () => {
  const visits = createVisits(world, 1);
  for (const traffic of ["decision", "offers", "impression", "hop"] as const) {
    const [result] = await runLoad({ url, traffic, shape: counted(1) }, visits);
    expect(result).toMatchObject({ good: 1, wrong: {}, events: 1 });
  }
  const event = {
    requestId: "req_1",
    offerId: "offer_1",
    placement: "premium",
    position: 1,
    surface: "overlay",
  };
  expect(received).toEqual([
    "GET /v1/decision?pub=pub_1&website=ws_1  81.92.0.0",
    "GET /v1/offers?website=ws_1&requestId=req_1&country=DE  81.92.0.0",
    `POST /v1/events/impression ${JSON.stringify(event)} 81.92.0.0`,
    "GET /v1/r?t=one  81.92.0.0",
  ]);
  await expect(runLoad({ url, traffic: "offers", shape: counted(1) }, visits)).rejects.toThrow(
    "no answer is left",
  );
});

test("an open loop sends at its rate whatever is answered, and tells its phases apart", async () => {
  statusOf = (index) => (index % 2 === 0 ? 503 : 200);
  const phases = [
    { perSecond: 400, seconds: 0.5 },
    { perSecond: 40, seconds: 0.5 },
  ];
  const shape = { kind: "open", phases, mostConnections: 400 } as const;
  const [busy, quiet] = await runLoad({ url, traffic: "yardstick", shape }, createVisits(world, 1));
  const total = (result = busy) => (result?.good ?? 0) + (result?.refused ?? 0);
  expect(total()).toBeGreaterThan(140);
  expect(total()).toBeLessThan(260);
  expect(total(quiet)).toBeLessThan(45);
  expect(busy?.refused).toBeGreaterThan(60);
});
