import { expect, test, vi } from "vitest";

vi.mock("virtual:words-files", () => ({ wordsFiles: {} }));
const { fitting } = await import("./draw-section.tsx");

type Offers = Parameters<typeof fitting>[0];
const offers = ["a", "b", "c"].map((id) => ({ id })) as unknown as Offers;

test.each([
  ["all three", 400, ["abc"]],
  ["two of three", 250, ["abc", "ab"]],
  ["one of three", 120, ["abc", "ab", "a"]],
  ["one that says less", 60, ["abc", "ab", "a", "a dense"]],
  ["one that says less, even where it is still too high", 1, ["abc", "ab", "a", "a dense"]],
])("%s are drawn into %d px", (_name, room, expected) => {
  const drawn: string[] = [];
  let height = 0;
  const shown = fitting(
    offers,
    (some, isDense) => {
      drawn.push(some.map(({ id }) => id).join("") + (isDense ? " dense" : ""));
      height = some.length * (isDense ? 50 : 110);
    },
    () => height > room,
  );
  expect(drawn).toEqual(expected);
  expect(shown.map(({ id }) => id).join("")).toBe(expected.at(-1)?.split(" ")[0]);
});
