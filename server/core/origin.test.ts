import { expect, test } from "vitest";
import { canonicalOrigin, checkRegisteredOrigin } from "./origin.ts";

test.each([
  "https://shop-a.example",
  "https://shop-a.example:8443",
  "https://shop-a.example:10443",
  "https://a.b.c.shop-a.example",
  "https://xn--bcher-kva.example",
  "https://my_shop.example",
  "https://192.0.2.1",
  "https://[2001:db8::1]:8443",
  "https://localhost",
  "http://localhost",
  "http://localhost:8788",
  "http://news.localhost:8788",
  "http://127.0.0.1:8788",
  "http://127.255.3.4",
  "http://[::1]:8788",
])("%s is canonical", (text) => {
  expect(canonicalOrigin(text)).toBe(text);
});

test.each([
  ["nothing", ""],
  ["null", "null"],
  ["a lone host", "shop-a.example"],
  ["a lone scheme", "https://"],
  ["another scheme", "ftp://shop-a.example"],
  ["a file", "file://"],
  ["a script", "javascript://shop-a.example"],
  ["an extension", "chrome-extension://abcdefgh"],
  ["plain http", "http://shop-a.example"],
  ["plain http to a name that begins like loopback", "http://localhost.shop-a.example"],
  ["plain http to a name that ends like loopback", "http://xlocalhost"],
  ["plain http to a name that begins with 127", "http://127.0.0.1.shop-a.example"],
  ["plain http to a private address", "http://192.168.0.1"],
  ["plain http to another IPv6 address", "http://[::2]"],
  ["a trailing slash", "https://shop-a.example/"],
  ["a path", "https://shop-a.example/a"],
  ["a query", "https://shop-a.example?a"],
  ["a fragment", "https://shop-a.example#a"],
  ["user info", "https://user@shop-a.example"],
  ["user info with a password", "https://user:pass@shop-a.example"],
  ["empty user info", "https://@shop-a.example"],
  ["an upper-case host", "https://Shop-A.example"],
  ["an upper-case scheme", "HTTPS://shop-a.example"],
  ["the default port of https", "https://shop-a.example:443"],
  ["the default port of http", "http://localhost:80"],
  ["a port with a leading zero", "https://shop-a.example:08443"],
  ["port zero", "https://shop-a.example:0"],
  ["a port out of range", "https://shop-a.example:65536"],
  ["an empty port", "https://shop-a.example:"],
  ["letters that are not ASCII", "https://shóp-a.example"],
  ["a letter that only looks Latin", "https://shop-а.example"],
  ["full-width letters", "https://shop－a.example"],
  ["an escaped letter", "https://shop%2da.example"],
  ["punycode in upper case", "https://XN--BCHER-KVA.example"],
  ["a leading space", " https://shop-a.example"],
  ["a trailing space", "https://shop-a.example "],
  ["a tab inside", "https://shop-\ta.example"],
  ["a line break at the end", "https://shop-a.example\n"],
  ["a zero character", "https://shop-a.example\u0000"],
  ["a soft hyphen", "https://shop\u00ad-a.example"],
  ["two origins", "https://shop-a.example https://shop-b.example"],
  ["a list of origins", "https://shop-a.example,https://shop-b.example"],
  ["a trailing dot", "https://shop-a.example."],
  ["an empty label", "https://.shop-a.example"],
  ["an empty label inside", "https://a..shop-a.example"],
  ["a wildcard", "https://*.shop-a.example"],
  ["a star", "*"],
  ["a backslash", "https:\\\\shop-a.example"],
  ["one slash", "https:/shop-a.example"],
  ["three slashes", "https:///shop-a.example"],
  ["a decimal address", "https://2130706433"],
  ["a hexadecimal address", "http://0x7f.0.0.1"],
  ["a short address", "http://127.1"],
  ["an octal address", "http://0177.0.0.1"],
  ["a long IPv6 spelling", "http://[0:0:0:0:0:0:0:1]"],
  ["a mapped address in dots", "https://[::ffff:127.0.0.1]"],
  ["a label of 64 letters", `https://${"a".repeat(64)}.example`],
  ["a label of 64 letters behind another", `https://a.${"a".repeat(64)}.example`],
  ["16 KiB", `https://${"a.".repeat(8192)}example`],
])("%s is not canonical", (_, text) => {
  expect(canonicalOrigin(text)).toBeNull();
});

const suffixes = new Set(["com", "example", "co.uk", "github.io", "localhost", "invalid"]);
const isPublicSuffix = (host: string) => suffixes.has(host);

test.each([
  "https://shop-a.example",
  "https://*.shop-a.example",
  "https://*.shop-a.example:8443",
  "https://news.co.uk",
  "https://me.github.io",
  "http://localhost:8788",
  "http://*.localhost:8788",
  "http://127.0.0.1:8788",
  "https://192.0.2.1",
])("%s may be registered", (text) => {
  expect(checkRegisteredOrigin(text, isPublicSuffix)).toEqual({ ok: true, origin: text });
});

test.each([
  ["https://co.uk", "public suffix"],
  ["https://*.co.uk", "public suffix"],
  ["https://*.com", "public suffix"],
  ["https://github.io:8443", "public suffix"],
  ["http://shop-a.example", "must be https"],
  ["http://*.shop-a.example", "must be https"],
  ["https://*.192.0.2.1", "not before an address"],
  ["http://*.127.0.0.1", "not before an address"],
  ["https://*.[2001:db8::1]", "not before an address"],
  ["https://Shop-A.example/path", "must be an exact origin: https://shop-a.example"],
  ["https://shop-a.example:443", "must be an exact origin: https://shop-a.example"],
  ["https://bücher.example", "must be an exact origin: https://xn--bcher-kva.example"],
  ["https://*.Shop-A.example/", "must be an exact origin: https://*.shop-a.example"],
  ["https://*.*.shop-a.example", "must be an origin such as"],
  ["https://shop-*.example", "must be an origin such as"],
  ["https://*", "must be an origin such as"],
  ["shop-a.example", "must be an origin such as"],
  ["null", "must be an origin such as"],
  ["javascript:alert(1)", "must be an origin such as"],
  ["", "must be an origin such as"],
])("%s may not be registered: %s", (text, message) => {
  const verdict = checkRegisteredOrigin(text, isPublicSuffix);
  expect(verdict).toEqual({ ok: false, message: expect.stringContaining(message) });
});
