import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkLandingUrl, type LandingMacro, landingMacros, prepareLandingUrl } from "./landing-url.ts";

test.each([
  ["as it is", "https://brand.example/landing", "https://brand.example/landing"],
  ["with a path of its own", "https://brand.example", "https://brand.example/"],
  ["in canonical spelling", "HTTPS://Brand.Example:443/a/../b", "https://brand.example/b"],
  [
    "with its other letters escaped",
    "https://bücher.example/ä?ö",
    "https://xn--bcher-kva.example/%C3%A4?%C3%B6",
  ],
  ["with a port", "https://brand.example:8443/", "https://brand.example:8443/"],
  ["with a fragment", "https://brand.example/#top", "https://brand.example/#top"],
  ["with a macro in the query", "https://brand.example?c={click_id}", "https://brand.example/?c={click_id}"],
  ["with a macro in the path", "https://brand.example/{country}/x", "https://brand.example/{country}/x"],
  [
    "with each macro in its own place",
    "https://brand.example/{vertical}/{vertical}?a={offer_id}&b={request_id}{region}#x",
    "https://brand.example/{vertical}/{vertical}?a={offer_id}&b={request_id}{region}#x",
  ],
  [
    "with the word that stands for macros",
    "https://macro.example/macromacrox/{country}?macro={region}",
    "https://macro.example/macromacrox/{country}?macro={region}",
  ],
  ["with escaped braces", "https://brand.example/%7Bclick_id%7D", "https://brand.example/%7Bclick_id%7D"],
])("a landing URL is saved %s", (_, text, url) => {
  expect(checkLandingUrl(text, { production: true })).toEqual({ ok: true, url });
});

test.each(["http://localhost:8788/a?c={click_id}", "http://127.0.0.1/", "http://[::1]:9/"])(
  "%s is saved outside production only",
  (text) => {
    expect(checkLandingUrl(text, { production: false })).toEqual({ ok: true, url: text });
    expect(checkLandingUrl(text, { production: true })).toEqual({ ok: false, message: "must be https" });
  },
);

test.each([
  ["nothing", "", "absolute https URL"],
  ["no scheme", "brand.example", "absolute https URL"],
  ["a path", "/landing", "absolute https URL"],
  ["a scheme-relative URL", "//brand.example", "absolute https URL"],
  ["one slash", "https:/brand.example", "absolute https URL"],
  ["three slashes", "https:///brand.example", "absolute https URL"],
  ["a script", "javascript:alert(1)", "absolute https URL"],
  ["a script that looks like a URL", "javascript://brand.example/%0aalert(1)", "absolute https URL"],
  ["inline data", "data:text/html,x", "absolute https URL"],
  ["ftp", "ftp://brand.example/", "absolute https URL"],
  ["plain http", "http://brand.example/", "must be https"],
  ["plain http to a name like loopback", "http://localhost.brand.example/", "must be https"],
  ["no host", "https://?a", "absolute https URL"],
  ["a port without a host", "https://:8443/", "browser can open"],
  ["a host that cannot be", "https://a b/", "white space"],
  ["a port that cannot be", "https://brand.example:99999/", "browser can open"],
  ["a user name", "https://user@brand.example/", "user name or password"],
  ["a password", "https://user:pass@brand.example/", "user name or password"],
  ["empty credentials", "https://@brand.example/", "user name or password"],
  ["a line break", "https://brand.example/\r\nSet-Cookie:a", "control characters"],
  ["a tab", "https://brand\t.example/", "control characters"],
  ["a space", "https://brand.example/a b", "white space"],
  ["a space before it", " https://brand.example/", "white space"],
  ["a backslash", "https://brand.example\\@evil.example/", "backslashes"],
  ["half a character", "https://brand.example/\ud800", "control characters"],
  ["a macro for its host", "https://{website}/", "must name its host"],
  ["a macro in the host", "https://{country}.brand.example/", "must name its host"],
  ["a macro at the end of the host", "https://brand.example{click_id}", "must name its host"],
  ["a macro for the port", "https://brand.example:{click_id}/", "must name its host"],
  ["a macro in the credentials", "https://{click_id}@brand.example/", "must name its host"],
  ["a macro in the fragment", "https://brand.example/#{click_id}", "must not have a macro after #"],
  ["a macro for the scheme", "{website}://brand.example/", "absolute https URL"],
  ["an unknown macro", "https://brand.example/?a={price}", "unknown macro {price}"],
  ["an empty macro", "https://brand.example/?a={}", "unknown macro {}"],
  ["a macro in upper case", "https://brand.example/?a={CLICK_ID}", "unknown macro {CLICK_ID}"],
  ["an inherited name", "https://brand.example/?a={constructor}", "unknown macro {constructor}"],
  ["a macro that the path goes back over", "https://brand.example/{country}/../x", "takes away"],
  ["an open brace", "https://brand.example/?a={click_id", "only around a macro"],
  ["a closing brace", "https://brand.example/?a=click_id}", "only around a macro"],
  ["doubled braces", "https://brand.example/?a={{click_id}}", "only around a macro"],
  ["too many characters", `https://brand.example/${"a".repeat(2027)}`, "at most 2048 bytes"],
  ["too many bytes once escaped", `https://brand.example/${"ä".repeat(400)}`, "at most 2048 bytes"],
])("%s is refused", (_, text, message) => {
  for (const production of [true, false]) {
    const verdict = checkLandingUrl(text, { production });
    expect(verdict).toEqual({ ok: false, message: expect.stringContaining(message) });
  }
});

test("2,048 bytes are few enough", () => {
  const url = `https://brand.example/${"a".repeat(2026)}`;
  expect(checkLandingUrl(url, { production: true })).toEqual({ ok: true, url });
});

test("a saved URL is saved again unchanged", () => {
  const template = "https://bücher.example/ä/{country}?c={click_id}&d=%7B#ü";
  const once = checkLandingUrl(template, { production: true });
  expect(once.ok && checkLandingUrl(once.url, { production: true })).toEqual(once);
});

const plain = Object.fromEntries(landingMacros.map((name) => [name, name])) as Record<LandingMacro, string>;

test("each macro is filled with its own value, as often as it stands there", () => {
  const template = `https://brand.example/?${landingMacros.map((name) => `${name}={${name}}`).join("&")}&again={region}`;
  const filled = new URL(prepareLandingUrl(template)(plain));
  for (const name of landingMacros) expect(filled.searchParams.get(name)).toBe(name);
  expect(filled.searchParams.get("again")).toBe("region");
});

test.each([
  ["a&b=c", "a%26b%3Dc"],
  ["100%", "100%25"],
  ["%26", "%2526"],
  ["a b+c", "a%20b%2Bc"],
  ["!'()*", "%21%27%28%29%2A"],
  ["\r\nSet-Cookie: a", "%0D%0ASet-Cookie%3A%20a"],
  ["../..//evil.example", "..%2F..%2F%2Fevil.example"],
  ["é{country}", "%C3%A9%7Bcountry%7D"],
  ["$&$1", "%24%26%241"],
  ["\ud800", "%EF%BF%BD"],
  ["", ""],
])("the value %j is written %s", (value, written) => {
  const filled = prepareLandingUrl("https://brand.example/?c={website}&d=1")({ ...plain, website: value });
  expect(filled).toBe(`https://brand.example/?c=${written}&d=1`);
});

test("a URL without a macro stays as it is, and one that was never checked is refused", () => {
  expect(prepareLandingUrl("https://brand.example/?a=1")(plain)).toBe("https://brand.example/?a=1");
  expect(() => prepareLandingUrl("https://brand.example/?a={unknown}")).toThrow(RangeError);
});

test("no value changes the host, adds a parameter or a header line", () => {
  const template = "https://brand.example/{website}/x{region}?a={country}&b={vertical}";
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (one, other) => {
      const values = { ...plain, website: one, region: other, country: one, vertical: other };
      const filled = prepareLandingUrl(template)(values);
      const url = new URL(filled);
      expect(url.origin).toBe("https://brand.example");
      expect(url.username + url.password + url.hash).toBe("");
      expect([...url.searchParams.keys()]).toEqual(["a", "b"]);
      expect(url.searchParams.get("a")).toBe(one.toWellFormed());
      expect(filled).toMatch(/^[\x21-\x7e]+$/);
    }),
    { numRuns: 2_000 },
  );
});

test("the page on privacy names all that an advertiser may ask for", () => {
  const page = readFileSync(new URL("../../docs/operations/privacy.md", import.meta.url), "utf8");
  for (const name of landingMacros) expect(page).toContain(`\`{${name}}\``);
});
