import { expect, test } from "vitest";
import { originsOf } from "./setup-origins.ts";

test.each([
  ["https://journal.example", ["https://journal.example", "https://www.journal.example"]],
  ["https://www.journal.example/news?day=1#top", ["https://www.journal.example", "https://journal.example"]],
  ["journal.example", ["https://journal.example", "https://www.journal.example"]],
  ["https://news.journal.example", ["https://news.journal.example"]],
  ["https://Journal.Example:8443/", ["https://journal.example:8443", "https://www.journal.example:8443"]],
  ["https://somebody.github.io", ["https://somebody.github.io", "https://www.somebody.github.io"]],
  ["https://github.io", ["https://github.io"]],
  ["http://localhost:3000/index.html", ["http://localhost:3000", "http://127.0.0.1:3000"]],
  ["localhost:3000", ["http://localhost:3000", "http://127.0.0.1:3000"]],
  ["http://127.0.0.1:3000", ["http://127.0.0.1:3000", "http://localhost:3000"]],
  ["http://journal.example", ["http://journal.example", "http://www.journal.example"]],
  ["file:///tmp/page.html", ["file:///tmp/page.html"]],
  ["not an address", ["not an address"]],
])("the address %s has the origins %j", (address, origins) => {
  expect(originsOf(address)).toEqual(origins);
});
