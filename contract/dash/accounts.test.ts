import { expect, it } from "vitest";
import { email } from "./accounts.ts";

it.each([
  [" Ada@Example.com ", "ada@example.com"],
  ["ada+news@example.com", "ada+news@example.com"],
  ["jürgen@bücher.example", "jürgen@bücher.example"],
  ["ju\u0308rgen@example.com", "j\u00fcrgen@example.com"],
])("%j is an address", (given, kept) => {
  expect(email.parse(given)).toBe(kept);
});

it.each([
  ["a line break", "ada@example.com\r\nBcc: eve@example.com"],
  ["a zero byte", "ada@exa\u0000mple.com"],
  ["a bell", "ad\u0007a@example.com"],
  ["what turns the rest around", "a\u202Eda@example.com"],
  ["what nobody sees", "a\u200Bda@example.com"],
  ["a sign of which form a character has", "ada\uFE0F@example.com"],
  ["what joins letters, and draws nothing", "ada\u034F@example.com"],
  ["a letter that is blank", "ada@exam\u3164ple.com"],
  ["half of a character", "a\ud800da@example.com"],
  ["two addresses", "ada@example.com,eve@example.com"],
])("%s is in no address", (_, given) => {
  expect(email.safeParse(given).success).toBe(false);
});
