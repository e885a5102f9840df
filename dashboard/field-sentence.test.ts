import { expect, test } from "vitest";
import { fieldSentence } from "./field-sentence.ts";

test.each([
  ["must be a country such as DE", "This must be a country such as DE."],
  ['must be https (given: "http://a.example")', 'This must be https (given: "http://a.example").'],
  [
    "is required: the publisher has several websites",
    "This is required: the publisher has several websites.",
  ],
  ["has nothing to spread over the day", "This has nothing to spread over the day."],
  ["was not paid in: there is another deposit", "This was not paid in: there is another deposit."],
  ["a wildcard stands before a domain name", "A wildcard stands before a domain name."],
  ["no offer has the id x", "No offer has the id x."],
  ["github.io is a public suffix", "github.io is a public suffix."],
  ["XX is no ISO 3166-1 country", "XX is no ISO 3166-1 country."],
  ["This is not your password.", "This is not your password."],
])("%s is said as %s", (message, sentence) => {
  expect(fieldSentence(message)).toBe(sentence);
});
