import { expect, test } from "vitest";
import { isOnThisMachine, nameOfOrigins, originsOfAddress, wrongOfAddress } from "./origins-of-address.ts";

const suffixes = ["com", "uk", "co.uk", "io", "github.io"];
const isPublicSuffix = (host: string): boolean => suffixes.includes(host);

test.each([
  ["https://journal.example", ["https://journal.example", "https://www.journal.example"]],
  ["https://www.journal.example/news?day=1#top", ["https://www.journal.example", "https://journal.example"]],
  [" journal.example ", ["https://journal.example", "https://www.journal.example"]],
  ["https://news.journal.example", ["https://news.journal.example"]],
  ["https://journal.co.uk", ["https://journal.co.uk", "https://www.journal.co.uk"]],
  ["https://news.journal.co.uk", ["https://news.journal.co.uk"]],
  ["https://co.uk", ["https://co.uk"]],
  ["https://Journal.Example:8443/", ["https://journal.example:8443", "https://www.journal.example:8443"]],
  ["https://somebody.github.io", ["https://somebody.github.io", "https://www.somebody.github.io"]],
  ["https://github.io", ["https://github.io"]],
  ["https://intranet", ["https://intranet"]],
  ["https://192.0.2.7", ["https://192.0.2.7"]],
  ["https://[2001:db8::1]", ["https://[2001:db8::1]"]],
  ["http://localhost:3000/index.html", ["http://localhost:3000", "http://127.0.0.1:3000"]],
  ["localhost:3000", ["http://localhost:3000", "http://127.0.0.1:3000"]],
  ["http://127.0.0.1:3000", ["http://127.0.0.1:3000", "http://localhost:3000"]],
  ["http://journal.example", ["http://journal.example", "http://www.journal.example"]],
  ["file:///tmp/page.html", ["file:///tmp/page.html"]],
  ["not an address", ["not an address"]],
])("the address %s has the origins %j", (address, origins) => {
  expect(originsOfAddress(address, isPublicSuffix)).toEqual(origins);
});

test.each([
  [["https://www.journal.example", "https://journal.example"], "journal.example"],
  [["http://localhost:3000"], "localhost:3000"],
  [["not an address"], "Website"],
])("a website of %j is called %s", (origins, name) => {
  expect(nameOfOrigins(origins)).toBe(name);
});

test("what stands on loopback hosts alone is on this machine", () => {
  expect(isOnThisMachine(["http://localhost:1", "http://127.0.0.1:1"])).toBe(true);
  expect(isOnThisMachine(["http://localhost:1", "https://journal.example"])).toBe(false);
});

test.each([
  ["https://journal.example/news", null],
  ["journal.example", null],
  ["http://localhost:3000", null],
  ["https://*.journal.example", null],
  ["http://journal.example", "must be https; http is for loopback hosts such as localhost only"],
  [
    "https://github.io",
    "github.io is a public suffix, under which anybody can have a site: name the site itself",
  ],
  ["my journal", "must be the address of a page, such as https://www.example.com/news"],
  ["file:///tmp/page.html", "must be the address of a page, such as https://www.example.com/news"],
])("whether a website can be made of %s: %s", (address, wrong) => {
  expect(wrongOfAddress(address, isPublicSuffix)).toBe(wrong);
});
