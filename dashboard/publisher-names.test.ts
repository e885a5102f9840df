import { expect, test } from "vitest";
import { publisherProposals, readPublisher } from "./publisher-names.ts";

const publishers = [
  { publisherId: "publisher_1", name: "Northwind" },
  { publisherId: "publisher_2", name: "Harbour" },
  { publisherId: "publisher_3", name: "harbour" },
];

test.each([
  ["Northwind", { chips: ["publisher_1"] }],
  ["northWIND", { chips: ["publisher_1"] }],
  ["publisher_3", { chips: ["publisher_3"] }],
  ["Harbour", { wrong: expect.stringContaining("Several") }],
  ["Nobody", { wrong: 'There is no publisher "Nobody".' }],
])("%s is read as the publisher that it names", (text, expected) => {
  expect(readPublisher(text, publishers)).toEqual(expected);
});

test("what is proposed means one publisher each", () => {
  const proposed = publisherProposals(publishers);
  expect(proposed.map(({ value }) => value)).toEqual(["Northwind", "publisher_2", "publisher_3"]);
  for (const [at, { value }] of proposed.entries()) {
    expect(readPublisher(value, publishers)).toEqual({ chips: [publishers[at]?.publisherId] });
  }
});
