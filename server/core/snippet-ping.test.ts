import { expect, test } from "vitest";
import { notedPage } from "./snippet-ping.ts";

const origin = "https://shop-a.example:8443";
const host = "shop-a.example:8443";

test.each([
  ["a page at the origin", `${origin}/news/1`, `${origin}/news/1`],
  ["the origin alone", origin, origin],
  ["no address", undefined, origin],
  ["an address at a stranger's", "https://evil.example/", origin],
  ["an address whose host begins alike", `${origin}9/`, origin],
  ["an address with the origin as a user name", "https://shop-a.example:8443@evil.example/", origin],
  ["an address by plain http", `http://${host}/`, origin],
])("of %s %s the address %s is kept", (_what, url, kept) => {
  expect(notedPage(origin, { url, scriptVersion: "1.2.0" })).toEqual({
    ...{ host, url: kept, scriptVersion: "1.2.0" },
  });
});

test.each([
  ["/reset/ada@example.com", "/reset/…"],
  ["/reset/ada%40example.com/now", "/reset/…"],
  ["/orders/100234", "/orders/…"],
  ["/t+4930123456", "/…"],
  ["/shop/b3f1c2d4-9a8b-4c7d-8e6f-0a1b2c3d4e5f/pay", "/shop/…"],
  ["/l/eyJhbGciOiJIUzI1NiJ9.e30", "/l/…"],
  ["/cart;jsessionid=0AAB6C8DE415/pay", "/…"],
  ["/Zx8kQ2mP4vT7bN1c", "/…"],
])("of the path %s, which may name a visitor, %s is kept", (path, kept) => {
  expect(notedPage(origin, { url: origin + path, scriptVersion: undefined }).url).toBe(origin + kept);
});

test.each([
  "/news/2026/11/30/the-ten-best-phones-of-2026",
  "/guides/covid19-rules-in-the-eu",
  "/%E4%BD%A0%E5%A5%BD%E4%B8%96%E7%95%8C",
  "/%C3%A9tudiants-en-france",
  "/d%C3%A9veloppement-durable",
  "/best%20phones%202026",
  "/p/iphone15promax",
  "/internationalisation",
  "/item/12345",
  "//a//",
])("the path %s, which names nobody, is kept", (path) => {
  expect(notedPage(origin, { url: origin + path, scriptVersion: undefined }).url).toBe(origin + path);
});

test.each([
  ["0.1.0", "0.1.0"],
  ["10.200.3000", "10.200.3000"],
  [undefined, ""],
  ["1.2", ""],
  ["1.2.3.4", ""],
  ["1.2.3-rc.1", ""],
  ["1.2.30000", ""],
  ["evil", ""],
])("the version %s is kept as %s", (scriptVersion, kept) => {
  expect(notedPage(origin, { url: undefined, scriptVersion }).scriptVersion).toBe(kept);
});
