import { refusalReasons } from "@offers/contract/words";
import { expect, test } from "vitest";
import { reasonText, refusalWords } from "./reason-words.ts";

test.each(refusalReasons)("%s has a label, and words that go on within a sentence", (reason) => {
  expect(reasonText(reason)).toMatch(/^[A-Z].*[^.]$/);
  expect(refusalWords[reason].says).toMatch(/^[a-z].*[^.]$/);
});

test("a click from elsewhere is told by what its offer covers, which is what the rule compares with", () => {
  expect(reasonText("geo_mismatch")).toBe("From where the offer does not apply");
});

test("a code that is not known stays itself", () => {
  expect(reasonText("of_tomorrow")).toBe("of_tomorrow");
});
