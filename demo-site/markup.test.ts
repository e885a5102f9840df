import { expect, test } from "vitest";
import { html, trusted } from "./markup.ts";

const hostile = `<script>alert("1")</script>'&`;

test("a value is escaped, as content and within an attribute", () => {
  const { html: text } = html`<p title="${hostile}">${hostile}</p>`;
  expect(text).toBe(
    `<p title="&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;">&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;</p>`,
  );
});

test("markup within markup stays markup, and what it was made of stays escaped", () => {
  expect(html`<ul>${["<a>", "b"].map((name) => html`<li>${name}</li>`)}</ul>`.html).toBe(
    "<ul><li>&#60;a&#62;</li><li>b</li></ul>",
  );
});

test.each<[string, Parameters<typeof html>[1], string]>([
  ["null", null, ""],
  ["undefined", undefined, ""],
  ["false", false, ""],
  ["an empty list", [], ""],
  ["zero", 0, "0"],
  ["markup of our own", trusted("<hr>"), "<hr>"],
])("%s is rendered as it should be", (_name, value, expected) => {
  expect(html`[${value}]`.html).toBe(`[${expected}]`);
});
