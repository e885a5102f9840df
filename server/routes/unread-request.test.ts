import { connect } from "node:net";
import { problem } from "@offers/contract/problem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Sends bytes as they are and reads until the service ends the connection. */
const send = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => {
      received += data.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });

const call = (line: string, ...headers: string[]) => `${[line, ...headers].join("\r\n")}\r\n\r\n`;
const get = "GET /v1/decision?pub=pub_a&website=ws_a HTTP/1.1";

/** What is sent, and what it is answered by. */
type Unread = [name: string, text: string, status: number, code: string];

const oddHosts = [
  "",
  "x/y",
  "x y",
  "x, y",
  "u@x",
  "u:p@x",
  "x:y",
  "x:1:2",
  ":80",
  "[::1",
  "::1",
  "x?y",
  "x#y",
  "x\\y",
  "http://x",
  "\xe9.example",
];

it.each<Unread>([
  ["no HTTP at all", "hello\r\n\r\n", 400, "malformed_request"],
  ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "malformed_request"],
  ["another version", call("GET / HTTP/9.9", "Host: x"), 400, "malformed_request"],
  ["an unknown method", call("FETCH / HTTP/1.1", "Host: x"), 400, "malformed_request"],
  ["a header without a colon", call(get, "Host: x", "broken"), 400, "malformed_request"],
  ["a control character in a header", call(get, "Host: x", "A: \x01"), 400, "malformed_request"],
  [
    "two lengths",
    call("POST /v1/events/click HTTP/1.1", "Host: x", "Content-Length: 1", "Content-Length: 2"),
    400,
    "malformed_request",
  ],
  [
    "a length beside chunks",
    call("POST /v1/events/click HTTP/1.1", "Host: x", "Content-Length: 5", "Transfer-Encoding: chunked"),
    400,
    "malformed_request",
  ],
  [
    "a chunk that is none",
    `${call("POST /v1/events/click HTTP/1.1", "Host: x", "Content-Type: text/plain", "Transfer-Encoding: chunked")}zz\r\n`,
    400,
    "malformed_request",
  ],
  ["no Host", call(get), 400, "malformed_request"],
  ["two Hosts", call(get, "Host: x", "A: b", "hOST: y"), 400, "malformed_request"],
  ["the same Host twice", call(get, "Host: x", "Host: x"), 400, "malformed_request"],
  ["two Hosts in HTTP/1.0", call(get.replace("1.1", "1.0"), "Host: x", "Host: y"), 400, "malformed_request"],
  ["an odd Host in HTTP/1.0", call(get.replace("1.1", "1.0"), "Host: x/y"), 400, "malformed_request"],
  ...oddHosts.map(
    (host): Unread => [
      `the Host "${host}"`,
      call(get, `Host: ${host}`, "Connection: close"),
      400,
      "malformed_request",
    ],
  ),
  ["too large headers", call(get, "Host: x", `A: ${"a".repeat(20_000)}`), 431, "headers_too_large"],
  ["too many headers", call(get, "Host: x", ...Array(3000).fill("A: aaaaaa")), 431, "headers_too_large"],
  ["an endless path", call(`GET /${"a".repeat(20_000)} HTTP/1.1`, "Host: x"), 431, "headers_too_large"],
])("%s is answered by a problem with an id, like any other call", async (_, text, status, code) => {
  const received = await send(text);
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  const [head = "", body = ""] = received.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const headers = new Map(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => [line.replace(/:.*/, "").toLowerCase(), line.replace(/^[^:]*: /, "")]),
  );
  const told = problem.parse(JSON.parse(body));
  expect(told).toMatchObject({ status, code, type: `https://offers.test/docs/errors#${code}` });
  expect(headers.get("request-id")).toBe(told.instance);
  expect(told.instance).toMatch(/^[\w-]{11}-\w+$/);
  expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
  expect(headers.get("connection")).toBe("close");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

it("no two refusals have one id", async () => {
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => /Request-Id: (\S+)/.exec(await send("hello\r\n\r\n"))?.[1]),
  );
  expect(new Set(ids).size).toBe(5);
});

it("an expectation that nobody knows is ignored, and a body that waits for a word gets it", async () => {
  const closing = ["Host: x", "Connection: close"];
  const odd = await send(call("GET /healthz HTTP/1.1", ...closing, "Expect: the-unexpected"));
  expect(odd).toMatch(/^HTTP\/1\.1 200 [\s\S]*Request-Id: /);
  const patient = await send(call("GET /healthz HTTP/1.1", ...closing, "Expect: 100-continue"));
  expect(patient).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

it.each([
  "x",
  "x:",
  "x:8787",
  "a_b.example.",
  "xn--bcher-kva.example",
  "127.0.0.1:80",
  "[::1]:8787",
  "[fe80::1%25eth0]",
])("the Host %s is one", async (host) => {
  const received = await send(call("GET /healthz HTTP/1.1", `Host: ${host}`, "Connection: close"));
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
});

it("who is refused for its Host is told the same by the table of busy routes and by Express", async () => {
  const told = async (line: string) => {
    const received = await send(call(line, "Host: x", "Host: y"));
    const id = /Request-Id: (\S+)/.exec(received)?.[1] ?? "none";
    return received.replaceAll(id, "id").replace(/Date: .*/, "");
  };
  const [busy, ...others] = await Promise.all(
    [get, "GET /v1/whats-my-ip HTTP/1.1", "GET /embed.js HTTP/1.1", "GET /nowhere HTTP/1.1"].map(told),
  );
  expect(busy).toMatch(/^HTTP\/1\.1 400 /);
  expect(others).toEqual([busy, busy, busy]);
});

it("HTTP/1.0 needs no Host", async () => {
  expect(await send(call("GET /healthz HTTP/1.0"))).toMatch(/^HTTP\/1\.1 200 /);
});
