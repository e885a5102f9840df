import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pagesFor } from "./pages.ts";

const user = {
  userId: 1,
  email: "olga@example.com",
  name: "Olga",
  isOperator: true,
  theme: "auto",
  hasPassword: true,
} as const;
const publisher = {
  publisherId: "publisher_a",
  publicKey: "pub_a",
  name: "Pier",
  role: "owner",
  websites: 0,
} as const;
const me = { user, publishers: [publisher], service: { baseUrl: "" }, recentUntil: 0 };
const pages = pagesFor(me, publisher).map(({ path }) => path.split("/"));

/** The links of a file that are made by `to`; `*` stands for what is put in. */
const linksOf = (file: string): string[] => {
  const text = readFileSync(file, "utf8");
  const made = [...text.matchAll(/\bto\(\s*(?:`([^`]*)`|"([^"]*)")/g)];
  return made.map(([, template, plain = ""]) => template?.replaceAll(/\$\{[^}]*\}/g, "*") ?? plain);
};

const isPage = (link: string): boolean => {
  const parts = link.split("/");
  const fits = (page: readonly string[]) =>
    page.length === parts.length &&
    page.every((part, at) => part.startsWith(":") || parts[at] === "*" || part === parts[at]);
  return pages.some(fits);
};

test("every link within the dashboard leads to a page", () => {
  const links = ["pages", "parts"].flatMap((folder) => {
    const names = readdirSync(join(import.meta.dirname, folder));
    return names.flatMap((name) => linksOf(join(import.meta.dirname, folder, name)));
  });
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !isPage(link))).toEqual([]);
});
