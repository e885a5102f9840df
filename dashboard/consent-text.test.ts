import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { consentText } from "./consent-text.ts";
import { type TagForm, tagText } from "./tag-text.ts";

const keys = { baseUrl: "https://offers.example", publicKey: "pub_x", websiteKey: "ws_y" };

describe("what the page says of its visitor's choice", () => {
  test.each(["html", "wordpress", "manager"] as const)("waits for the script in a page of %s", (form) => {
    const page: Record<string, unknown> = {};
    page.window = page;
    runInContext(consentText(form, "overlay"), createContext(page));
    const { q } = page.offerService as { q: ArrayLike<unknown>[] };
    expect(q.map((command) => Array.from(command))).toEqual([
      ["consent", true],
      ["consent", false],
    ]);
  });

  test("is said to the function that the page has already", () => {
    const said: unknown[][] = [];
    const page: Record<string, unknown> = { offerService: (...command: unknown[]) => said.push(command) };
    page.window = page;
    runInContext(consentText("html", "overlay"), createContext(page));
    expect(said).toEqual([
      ["consent", true],
      ["consent", false],
    ]);
  });

  test.each(["overlay", "section", "none"] as const)(
    "goes by the component's own function with Next.js (%s)",
    (mode) => {
      const said = consentText("next", mode);
      const component = tagText(keys, { form: "next", mode, trigger: "", consent: "manual", nonce: "" });
      const [, file] = /from "\.\/([\w-]+)"/.exec(said) ?? [];
      expect(component).toMatch(new RegExp(`^// app/${file}\\.tsx\n`));
      expect(component).toContain("export function offerService(");
    },
  );

  test("has both words, in whichever form", () => {
    for (const form of ["html", "wordpress", "manager", "next"] satisfies TagForm[]) {
      expect(consentText(form, "none")).toMatch(/"consent", true[\s\S]*"consent", false/);
    }
  });
});
