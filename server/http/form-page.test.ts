import { markPath } from "@offers/contract/dash/mark";
import { expect, test } from "vitest";
import { formPage } from "./form-page.ts";

const html = String(formPage({ title: "Join", body: "<button>Choose this password and join</button>" }).body);

test("a page before a sign-in carries the dashboard's mark", () => {
  expect(html).toContain(`<path d="${markPath}"/>`);
});

test("a button grows with its words, where a narrow window breaks them", () => {
  const rule = /\nbutton \{[^}]*\}/.exec(html)?.[0] ?? "";
  expect(rule).toContain("min-height: 2.5rem");
  expect(rule).not.toMatch(/[{;]\s*height:/);
});
