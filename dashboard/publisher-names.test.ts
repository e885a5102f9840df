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
  ["publisher_9", { chips: ["publisher_9"] }],
  ["Nobody", { wrong: 'There is no publisher "Nobody".' }],
  ["publisher 9", { wrong: 'There is no publisher "publisher 9".' }],
])("%s is read as the publisher that it names", (text, expected) => {
  expect(readPublisher(text, publishers)).toEqual(expected);
});

test.each([
  ["unread", "is still to come"],
  ["failed", "could not be read"],
] as const)("while the list is %s, an id is taken, and of a name it is said why it is not", (list, why) => {
  expect(readPublisher("publisher_1", list)).toEqual({ chips: ["publisher_1"] });
  expect(readPublisher("Northwind", list)).toEqual({ wrong: expect.stringContaining(why) });
});

test("a publisher's name goes before the form of an id", () => {
  const odd = [...publishers, { publisherId: "publisher_4", name: "publisher_four" }];
  expect(readPublisher("publisher_four", odd)).toEqual({ chips: ["publisher_4"] });
});

test("what is proposed means one publisher each", () => {
  const proposed = publisherProposals(publishers);
  expect(proposed.map(({ value }) => value)).toEqual(["Northwind", "publisher_2", "publisher_3"]);
  for (const [at, { value }] of proposed.entries()) {
    expect(readPublisher(value, publishers)).toEqual({ chips: [publishers[at]?.publisherId] });
  }
});
