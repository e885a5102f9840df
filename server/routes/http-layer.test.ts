import { connect } from "node:net";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Endpoint, endpoints } from "@offers/contract/endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const rows: readonly Endpoint[] = endpoints;

describe("methods and paths", () => {
  it.each(rows)(
    "answers every other method on $path with 405 and what is allowed",
    async ({ method, path, hasHead }) => {
      const allowed = [method, ...(hasHead ? ["HEAD"] : [])];
      for (const other of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]) {
        if (allowed.includes(other as never)) continue;
        const answer = await service.call(path, { method: other });
        expect([other, answer.status]).toEqual([other, 405]);
        expect(answer.headers.allow).toBe([...allowed, "OPTIONS"].join(", "));
        if (other !== "HEAD") expect(answer.json()).toMatchObject({ code: "method_not_allowed" });
      }
    },
  );

  it.each([
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v2/decision",
    "/v1/decision/",
    "/V1/decision",
    "/v1/Decision",
    "//v1/decision",
    "/v1//decision",
    "/v1/decision%2F",
    "/v1/events/",
    "/v1/events/served",
    "/healthz/",
    "/Healthz",
    "/embed.js/",
    "/embed.js.map",
    "/c/",
    "/c",
    "/.env",
    "/package.json",
    "/../package.json",
    "/c/..%2F..%2Fpackage.json",
  ])("knows no %s", async (path) => {
    const answer = await service.call(`${path}?pub=pub_a&website=ws_a`);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.json()).toMatchObject({ code: "not_found", status: 404 });
  });

  it.each(["/%E0%A4%A", "/v1/%", "/c/%ff.js", "/%ZZ"])("refuses the broken path %s", async (path) => {
    const answer = await service.call(path);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: "malformed_request" });
  });

  it("lets the page of a registered origin read that a path is unknown", async () => {
    const answer = await service.call("/v1/nothing");
    expect(answer.headers["access-control-allow-origin"]).toBe("https://shop-a.example");
  });
});

describe("preflights", () => {
  const preflight = (path: string, origin: string, asked: Record<string, string> = {}) =>
    service.call(path, {
      method: "OPTIONS",
      origin,
      headers: {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,authorization,x-own",
        ...asked,
      },
    });

  it.each(
    endpoints.filter(({ path, group }) => path.startsWith("/v1/") && !["server", "backend"].includes(group)),
  )("grants a registered origin what $path has, for ten minutes", async ({ path, method }) => {
    const answer = await preflight(path, "https://shop-a.example");
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "https://shop-a.example",
      "access-control-allow-methods": method,
      "access-control-allow-headers": "Content-Type",
      "access-control-max-age": "600",
      vary: "Origin",
    });
    expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
  });

  it("grants what a path with a session's id has", async () => {
    const { headers } = await preflight(
      `/v1/widget-decline/session/dcl_${"a".repeat(22)}`,
      "https://shop-a.example",
    );
    expect(headers["access-control-allow-methods"]).toBe("GET");
  });

  it.each(["https://evil.example", "null", "https://shop-a.example.evil.com"])(
    "grants %s nothing",
    async (origin) => {
      const answer = await preflight("/v1/events/click", origin);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(answer.headers.vary).toBe("Origin");
    },
  );

  it("knows no unknown path", async () => {
    expect((await preflight("/v1/nothing", "https://shop-a.example")).status).toBe(404);
  });

  it("is not needed for what the embed sends", async () => {
    const { decision, offers } = await service.visit();
    const body = { requestId: decision.requestId, offerId: offers[0]?.id };
    const answer = await service.post("click", body, {
      headers: { "Content-Type": "text/plain;charset=UTF-8" },
    });
    expect(answer.status).toBe(204);
  });
});

describe("callers with a credential", () => {
  const decision = "/v1/decision?pub=pub_a&website=ws_a";
  const header = { Authorization: "Bearer pub_a" };

  it.each(["Bearer pub_a", "bearer sk_x", "Basic YTpi", "Bearer", "", "Bearer a b"])(
    "are of the group that has keys, and %j is none",
    async (Authorization) => {
      const answer = await service.call(decision, { origin: null, headers: { Authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
      expect(answer.json()).toMatchObject({ code: "unauthorized" });
      expect(answer.text).not.toContain("requestId");
    },
  );

  it.each([
    [{ origin: "https://shop-a.example", headers: header }],
    [{ origin: "https://evil.example", headers: header }],
    [{ origin: null, headers: { ...header, "Sec-Fetch-Site": "cross-site" } }],
    [{ origin: null, headers: { ...header, "Sec-Fetch-Site": "same-site" } }],
  ])("are refused from a browser, which may not even read it: %j", async (given) => {
    const answer = await service.call(decision, given);
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({ code: "browser_not_allowed" });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("never fall back to the embed group", async () => {
    for (const { path, method } of endpoints.filter(({ limit }) => limit !== null)) {
      expect((await service.call(path, { method, origin: null, headers: header })).status).toBe(401);
    }
  });
});

describe("bodies in transit", () => {
  const post = (body: Buffer, encoding: string) =>
    service.call("/v1/events/snippet-ping", {
      method: "POST",
      body,
      headers: { "Content-Encoding": encoding },
    });
  const ping = Buffer.from(JSON.stringify({ websiteKey: "ws_a" }));
  /** One raw block behind a head that asks for a window of two to that power (RFC 8878 section 3.1.1). */
  const zstdOfWindow = (power: number) =>
    Buffer.concat([
      Buffer.from([
        0x28,
        0xb5,
        0x2f,
        0xfd,
        0,
        (power - 10) << 3,
        (ping.length << 3) | 1,
        ping.length >> 5,
        0,
      ]),
      ping,
    ]);

  it.each([
    ["a good one in gzip", () => gzipSync(ping), "gzip", 204, ""],
    ["an unknown encoding", () => ping, "foo", 415, "unsupported_media_type"],
    ["gzip that is none", () => ping, "gzip", 400, "malformed_request"],
    ["gzip that ends too early", () => gzipSync(ping).subarray(0, -9), "gzip", 400, "malformed_request"],
    ["zstd with a window of 8 MiB", () => zstdOfWindow(23), "zstd", 204, ""],
    [
      "zstd with a larger one, which would be made first",
      () => zstdOfWindow(24),
      "zstd",
      400,
      "malformed_request",
    ],
    ["a bomb of 50 MB", () => gzipSync(Buffer.alloc(50 << 20)), "gzip", 413, "body_too_large"],
  ])("%s", async (_, body, encoding, status, code) => {
    const answer = await post(body(), encoding);
    expect(answer.status).toBe(status);
    if (code) expect(answer.json()).toMatchObject({ code });
  });

  it("a refused encoding tells all that are taken", async () => {
    const { detail } = (await post(ping, "foo")).json();
    expect(detail).toBe("The body's encoding must be gzip, deflate, br, zstd or none.");
    expect((await post(zstdCompressSync(ping), "zstd")).status).toBe(204);
  });

  it("a header of 17 KiB is refused before anything is read", async () => {
    const answer = await service.call("/v1/decision", { headers: { "X-Long": "x".repeat(17 * 1024) } });
    expect(answer.status).toBe(431);
  });
});

describe("what every answer carries", () => {
  it.each(["/v1/decision?pub=pub_a&website=ws_a", "/v1/decision", "/nothing", "/healthz", "/v1/r"])(
    "%s",
    async (path) => {
      const { headers } = await service.call(path);
      expect(headers).toMatchObject({
        vary: "Origin",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none';base-uri 'none';frame-ancestors 'none'",
      });
      for (const name of ["x-powered-by", "server", "etag", "set-cookie"])
        expect(headers).not.toHaveProperty(name);
    },
  );
});

describe("clients that do not speak HTTP well", () => {
  const send = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.end(text));
      let received = "";
      socket.on("data", (data) => {
        received += data.toString();
      });
      socket.on("close", () => resolve(received));
      socket.on("error", reject);
    });

  it.each([
    ["GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 400/],
    ["NONSENSE\r\n\r\n", /^HTTP\/1\.1 400/],
    ["GET /v1/decision HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 400/],
    [
      "POST /v1/events/click HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
      /^HTTP\/1\.1 400/,
    ],
  ])("gets 400: %j", async (text, expected) => {
    expect(await send(text)).toMatch(expected);
    expect((await service.call("/healthz")).status).toBe(200);
  });
});

it("writes no error line on the way", () => {
  expect(service.errors).toEqual([]);
});
