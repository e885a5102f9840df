import { expect, test } from "vitest";
import { isOnThisMachine, nameOfOrigins, originsOfAddress } from "./origins-of-address.ts";

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
