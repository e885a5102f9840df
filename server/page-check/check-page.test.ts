import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkPage, createPageChecks } from "./check-page.ts";
import { pageBytesMost } from "./fetch-page.ts";

const keys = { baseUrl: "https://offers.example", publicKey: "pub_a", websiteKey: "ws_a" };
const tag = `<script async crossorigin src="https://offers.example/embed.js" data-pub="pub_a" data-website="ws_a"></script>`;

let host: Server;
let origin: string;
let serve: RequestListener;
/** The paths that were asked for, each with the Host header that it came with. */
let asked: string[];

beforeEach(async () => {
  asked = [];
  host = createServer((req, res) => {
    asked.push(`${req.headers.host}${req.url}`);
    res.setHeader("Content-Type", "text/html; charset=utf-8");
    serve(req, res);
  });
  host.listen(0, "127.0.0.1");
  await once(host, "listening");
  origin = `http://localhost:${(host.address() as AddressInfo).port}`;
});
afterEach(() => {
  host.closeAllConnections();
  host.close();
});

const ofWebsite = () => ({ ...keys, origins: [origin] });
const onLoopback = async () => [{ address: "127.0.0.1", family: 4 }];
const check = async (path = "/", fetching: Partial<Parameters<typeof checkPage>[2]> = {}) => {
  const found = await checkPage(origin + path, ofWebsite(), {
    production: false,
    resolve: onLoopback,
    ...fetching,
  });
  return found.outcome === "checked" ? found.findings : found;
};

describe("a page that is checked", () => {
  test("is well", async () => {
    serve = (_req, res) => res.end(`<!doctype html>${tag}`);
    expect(await check("/news?a=1")).toEqual([]);
    expect(asked).toEqual([`${new URL(origin).host}/news?a=1`]);
  });

  test("is not waited for where its server changes the protocol and says nothing more", async () => {
    const other = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
    });
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    origin = `http://localhost:${(other.address() as AddressInfo).port}`;
    expect(await check()).toEqual([{ code: "unreachable", why: "could not be read" }]);
    other.close();
  });

  test("says by its headers what stops the tag", async () => {
    serve = (_req, res) => {
      res.setHeader("Content-Security-Policy", ["script-src https://offers.example", "connect-src 'self'"]);
      res.end(tag);
    };
    expect(await check()).toMatchObject([{ code: "csp", directive: "connect-src 'self'", place: "header" }]);
  });

  test.each([
    ["answers an error", 404, {}, "answered 404"],
    ["leads somewhere without saying where", 302, {}, "answered 302"],
    ["is a picture", 200, { "Content-Type": "image/png" }, "is no HTML page"],
    ["is packed", 200, { "Content-Encoding": "gzip" }, "is packed though that was not asked for"],
  ])("%s", async (_, status, headers, why) => {
    serve = (_req, res) => res.writeHead(status, headers).end(tag);
    expect(await check()).toEqual([{ code: "unreachable", why }]);
    expect(asked).toHaveLength(1);
  });

  test.each([301, 302, 303, 307, 308])(
    "is followed to another page of the website by a %d",
    async (status) => {
      serve = (req, res) => {
        if (req.url === "/") res.writeHead(status, { Location: "/news" });
        res.end(req.url === "/news" ? tag : "");
      };
      expect(await check()).toEqual([]);
      expect(asked.map((one) => one.slice(one.indexOf("/")))).toEqual(["/", "/news"]);
    },
  );

  test("is not followed to an address that is not the website's", async () => {
    const other = origin.replace("localhost", "127.0.0.1");
    serve = (_req, res) => res.writeHead(301, { Location: `${other}/secret` }).end();
    expect(await check()).toEqual([{ code: "redirects_elsewhere", origin: other }]);
    expect(asked).toHaveLength(1);
  });

  test.each(["file:///etc/passwd", "ftp://localhost/", "gopher://x/"])(
    "is not followed to %s",
    async (target) => {
      serve = (_req, res) => res.writeHead(301, { Location: target }).end();
      expect(await check()).toMatchObject([{ code: "redirects_elsewhere" }]);
      expect(asked).toHaveLength(1);
    },
  );

  test("is not followed in a circle", async () => {
    serve = (_req, res) => res.writeHead(302, { Location: "/" }).end();
    expect(await check()).toMatchObject([
      { code: "unreachable", why: expect.stringContaining("without an end") },
    ]);
    expect(asked).toHaveLength(6);
  });

  test.each<[string, RequestListener]>([
    ["never answers", () => undefined],
    ["never ends", (_req, res) => res.write(tag)],
  ])("%s, and is waited for no longer than agreed", async (_, listener) => {
    serve = listener;
    const why = "did not answer within 0.2 s";
    expect(await check("/", { patienceMs: 200 })).toEqual([{ code: "unreachable", why }]);
  });

  test("is waited for no longer when its name is never found", async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await check("/", { patienceMs: 50, resolve })).toMatchObject([{ code: "unreachable" }]);
    expect(asked).toEqual([]);
  });

  test.each([
    ["ENOTFOUND", "has a name that is not found"],
    ["EAI_AGAIN", "has a name that is not found"],
    ["ECONNREFUSED", "refuses connections"],
    ["CERT_HAS_EXPIRED", "has a certificate that is not accepted"],
    ["EPIPE", "could not be read"],
    [undefined, "could not be read"],
  ])("that cannot be had (%s) is told in words", async (code, why) => {
    const resolve = () => Promise.reject(Object.assign(new Error("no"), code === undefined ? {} : { code }));
    expect(await check("/", { resolve })).toEqual([{ code: "unreachable", why }]);
  });

  test("whose name leads nowhere is told so", async () => {
    const why = "has a name without an address";
    expect(await check("/", { resolve: async () => [] })).toEqual([{ code: "unreachable", why }]);
  });

  test("is read for a megabyte and no more", async () => {
    const gone = Promise.withResolvers<void>();
    serve = (_req, res) => {
      res.on("close", gone.resolve);
      res.write("x".repeat(pageBytesMost) + tag);
    };
    expect(await check()).toEqual([{ code: "tag_missing", isWhole: false }]);
    await gone.promise;
    serve = (_req, res) => res.end(tag + "x".repeat(2 * pageBytesMost));
    expect(await check()).toEqual([]);
    serve = (_req, res) => res.end("x".repeat(pageBytesMost));
    expect(await check()).toEqual([{ code: "tag_missing", isWhole: true }]);
  });
});

describe("what is not called", () => {
  beforeEach(() => {
    serve = (_req, res) => res.end(tag);
  });

  test.each(["http://other.example/", "https://localhost/", "no address", "", "http://a:b@localhost/"])(
    "%j, which is no page of the website",
    async (page) => {
      expect(await checkPage(page, ofWebsite(), { production: false })).toEqual({
        outcome: "not_registered",
      });
      for (const who of ["me:secret", "me", ":secret"]) {
        const own = origin.replace("http://", `http://${who}@`);
        const found = await checkPage(own, ofWebsite(), { production: false });
        expect(found, who).toEqual({ outcome: "not_registered" });
      }
      expect(asked).toEqual([]);
    },
  );

  test.each([
    "127.0.0.1",
    "10.0.0.1",
    "192.168.1.1",
    "172.16.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "224.0.0.1",
    "240.0.0.1",
  ])("a name that leads to %s, in production", async (address) => {
    const hidden = async () => [
      { address: "93.184.216.34", family: 4 },
      { address, family: address.includes(":") ? 6 : 4 },
    ];
    const why = "leads to an address that is not of the public internet";
    expect(await check("/", { production: true, resolve: hidden })).toEqual([{ code: "unreachable", why }]);
    expect(asked).toEqual([]);
  });

  test("what a name leads to only after it was looked at", async () => {
    let lookups = 0;
    const rebinding = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? "127.0.0.1" : "127.0.0.99", family: 4 }];
    };
    // No resolver knows this name: the connection is made to what was looked at, or to nothing.
    const named = origin.replace("localhost", "rebinding.invalid");
    const found = await checkPage(
      `${named}/`,
      { ...keys, origins: [named] },
      { production: false, resolve: rebinding },
    );
    expect(found).toMatchObject({ outcome: "checked", findings: [] });
    expect([lookups, asked]).toEqual([1, [`${new URL(named).host}/`]]);
  });

  test("a registered name that the resolver of this machine knows as loopback, in production", async () => {
    const found = await checkPage(`${origin}/`, ofWebsite(), { production: true });
    expect(found).toMatchObject({ findings: [{ code: "unreachable" }] });
    expect(asked).toEqual([]);
  });
});

describe("checks of many", () => {
  test("are six an hour for each website, and one that was not done is none", async () => {
    serve = (_req, res) => res.end(tag);
    const start = 86_400_000;
    let now = start;
    const checks = createPageChecks({ production: false, resolve: onLoopback, clock: () => now });
    const at = (website = "ws_a", page = `${origin}/`) =>
      checks(page, { ...ofWebsite(), websiteKey: website });
    await at("ws_a", "https://other.example/");
    const first = await Promise.all(Array.from({ length: 8 }, () => at()));
    expect(first.map(({ outcome }) => outcome).filter((one) => one === "checked")).toHaveLength(6);
    expect(first.at(-1)).toEqual({ outcome: "too_often", afterMs: 3_600_000 });
    expect((await at("ws_b")).outcome).toBe("checked");
    now = start + 3_599_999;
    expect(await at()).toEqual({ outcome: "too_often", afterMs: 1 });
    now = start + 3_600_000;
    expect((await at()).outcome).toBe("checked");
    expect(asked).toHaveLength(8);
  });

  test("are twenty at a time, and one more is none of a website's six", async () => {
    const open = Promise.withResolvers<void>();
    serve = (_req, res) => void open.promise.then(() => res.end(tag));
    const checks = createPageChecks({
      production: false,
      resolve: onLoopback,
      patienceMs: 600_000,
      clock: () => 0,
    });
    const at = (website: number) => checks(`${origin}/`, { ...ofWebsite(), websiteKey: `ws_${website}` });
    const first = Array.from({ length: 20 }, (_, website) => at(website));
    for (let done = 0; done < 7; done += 1) expect(await at(20)).toEqual({ outcome: "busy" });
    open.resolve();
    for (const { outcome } of await Promise.all(first)) expect(outcome).toBe("checked");
    expect((await at(20)).outcome).toBe("checked");
  });

  test("are open again where the clock that they were counted by is set back", async () => {
    serve = (_req, res) => res.end(tag);
    let now = 86_400_000;
    const checks = createPageChecks({ production: false, resolve: onLoopback, clock: () => now });
    const check = () => checks(`${origin}/`, { ...ofWebsite(), websiteKey: "ws_a" });
    for (let done = 0; done < 7; done += 1) await check();
    now = 0;
    expect((await check()).outcome).toBe("checked");
  });
});
