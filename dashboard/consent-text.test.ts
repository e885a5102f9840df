import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { consentCalls } from "./consent-text.ts";
import { type TagForm, tagText } from "./tag-text.ts";

const keys = { baseUrl: "https://offers.example", publicKey: "pub_x", websiteKey: "ws_y" };

describe("what the page says of its visitor's choice", () => {
  test("is two texts, of which each says one thing and where it goes", () => {
    for (const form of ["html", "wordpress", "manager", "next"] satisfies TagForm[]) {
      const calls = consentCalls(form, "none");
      expect(calls.map(({ label }) => label)).toEqual(["When visitors agree", "When they take it back"]);
      expect(calls.map(({ code }) => code.match(/"consent", \w+/g))).toEqual([
        ['"consent", true'],
        ['"consent", false'],
      ]);
      for (const { label, says } of calls) expect(says).toMatch(new RegExp(`^${label}: `));
    }
  });

  test.each(["html", "wordpress", "manager"] as const)("waits for the script in a page of %s", (form) => {
    for (const [at, { code }] of consentCalls(form, "overlay").entries()) {
      const page: Record<string, unknown> = {};
      page.window = page;
      runInContext(code, createContext(page));
      const { q } = page.offerService as { q: ArrayLike<unknown>[] };
      expect(q.map((command) => Array.from(command))).toEqual([["consent", at === 0]]);
    }
  });

  test("is said to the function that the page has already", () => {
    const said: unknown[][] = [];
    const page: Record<string, unknown> = { offerService: (...command: unknown[]) => said.push(command) };
    page.window = page;
    for (const { code } of consentCalls("html", "overlay")) runInContext(code, createContext(page));
    expect(said).toEqual([
      ["consent", true],
      ["consent", false],
    ]);
  });

  test.each(["overlay", "section", "none"] as const)(
    "goes by the component's own function with Next.js (%s)",
    (mode) => {
      const component = tagText(keys, { form: "next", mode, trigger: "", consent: "manual", nonce: "" });
      for (const { code } of consentCalls("next", mode)) {
        const [, file] = /from "\.\/([\w-]+)"/.exec(code) ?? [];
        expect(component).toMatch(new RegExp(`^// app/${file}\\.tsx\n`));
      }
      expect(component).toContain("export function offerService(");
    },
  );
});
