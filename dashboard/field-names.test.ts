import { expect, test } from "vitest";
import { wrongFieldsText } from "./field-names.ts";

const names = {
  title: "Title",
  locales: "Other languages",
  supportContact: "A way to reach you",
  "supportContact.url": "Page",
  origins: "Origins",
};

test.each([
  [["title"], "Not saved. Look at “Title”."],
  [["settings.supportContact.url", "settings.title"], "Not saved. Look at “Page” and “Title”."],
  [["supportContact.email"], "Not saved. Look at “A way to reach you”."],
  [["locales.de.title"], "Not saved. Look at “Other languages”."],
  [["origins[0]", "origins.1"], "Not saved. Look at “Origins”."],
  [["title", "unheardOf"], undefined],
  [[], undefined],
])("%j is told as %j", (parameters, says) => {
  expect(wrongFieldsText(parameters, names)).toBe(says);
});
