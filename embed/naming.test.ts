import { afterEach, expect, test, vi } from "vitest";
import { hostAttribute } from "./overlay/host-attribute.ts";
import { placeAttribute } from "./section/reserve-place.ts";
import { eventSender } from "./wire/send-event.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("events have no query to be recognised by", () => {
  const fetched = vi.fn(async (_url: string) => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", fetched);
  const send = eventSender("https://offers.example/");
  for (const event of ["drawn", "impression", "click", "dismiss", "snippet-ping"] as const) send(event, {});
  expect(fetched.mock.calls).toHaveLength(5);
  for (const [url] of fetched.mock.calls) expect(url).not.toContain("?");
});

test.each([hostAttribute, placeAttribute])("%s in the page is named after nothing hidden by rule", (name) => {
  expect(name).not.toMatch(/ad|sponsor|affiliate|promo|banner|popup|overlay|offer/i);
  expect(name).not.toBe("data-aos");
});
