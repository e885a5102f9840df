import type { Frequency } from "@offers/contract/words";
import { expect, test } from "vitest";
import { showingFor } from "./showing.ts";

const given = {
  frequency: "closed" as Frequency,
  hasDismissed: true,
  surface: "overlay" as const,
  website: { development: false, settings: { dismissible: true } },
  origin: "https://shop-a.example",
};

test.each([
  ["a visitor who has closed the overlay", {}, "closed_today"],
  ["one who has not", { hasDismissed: false }, "shown"],
  ["one who was shown it, where that is enough", { frequency: "day" }, "shown_today"],
  ["one who was not, where that is enough", { frequency: "day", hasDismissed: false }, "shown"],
  ["one who has closed it where each page view shows it", { frequency: "page" }, "shown"],
  ["a section of the page", { surface: "section" }, "shown"],
  [
    "a page that may not be had",
    { website: { ...given.website, settings: { dismissible: false } } },
    "shown",
  ],
  ["a development website", { website: { ...given.website, development: true } }, "shown"],
  ["a page on this machine", { origin: "http://localhost:3000" }, "shown"],
  ["a page on an address of this machine", { origin: "http://127.0.0.1" }, "shown"],
  ["a page whose name only begins so", { origin: "https://localhost.example" }, "closed_today"],
] satisfies [string, object, string][])("%s", (_, over, expected) => {
  const showing = showingFor({ ...given, ...over } as typeof given);
  expect(showing.show ? "shown" : showing.hidden).toBe(expected);
});
