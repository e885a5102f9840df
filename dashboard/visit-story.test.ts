import type { ExplainAnswer } from "@offers/contract/explain";
import { expect, test } from "vitest";
import { fateOf, storyOf, storyTitle } from "./visit-story.ts";

type Event = ExplainAnswer["events"][number];
const at = (second: number) => `2026-11-22T14:02:${String(second).padStart(2, "0")}.000Z`;
const event = (type: Event["type"], second: number, more: Partial<Event> = {}): Event => ({
  eventId: "evt_1" as Event["eventId"],
  type,
  offerId: "offer_1" as NonNullable<Event["offerId"]>,
  placement: "premium",
  position: 1,
  at: at(second),
  counts: true,
  reason: null,
  overruled: null,
  mark: null,
  billed: false,
  beaconAt: null,
  hopAt: null,
  ...more,
});
const served = (offer: string, placement: "premium" | "standard", position: number) => ({
  offerId: offer as NonNullable<Event["offerId"]>,
  ...{ placement, position, at: at(1), catalogueVersion: 1, ratesVersion: 1 },
});

const told = {
  websiteKey: "ws_a",
  at: at(0),
  surface: "overlay",
  decision: { country: "FR", region: "", allowed: false },
  now: { allowed: false, reason: "country_blocked", rule: { line: "entry", mode: "blocklist", entry: "FR" } },
  served: [
    served("offer_1", "premium", 1),
    served("offer_2", "standard", 1),
    served("offer_3", "standard", 2),
  ],
  events: [
    event("blocked", 0, { offerId: null }),
    event("served", 1, { mark: "geo_mismatch" }),
    event("impression", 3),
    event("impression", 3, { offerId: "offer_2" as NonNullable<Event["offerId"]> }),
    event("impression", 4, { counts: false, reason: "duplicate" }),
    event("click", 9, { billed: true, hopAt: at(9) }),
    event("click", 9, { mark: "unregistered_referrer", hopAt: at(9) }),
    event("click", 10, { counts: false, reason: "duplicate", hopAt: at(10) }),
  ],
} as unknown as ExplainAnswer;

test("a visit's story is its decision, what was handed out, what was seen, and each click", () => {
  expect(storyOf(told).map(({ title, says, counts }) => [title, says, counts])).toEqual([
    ["Blocked", "the country is on the blocklist", true],
    ["3 offers handed out", "1 in the premium place, asked for with another country", true],
    ["2 seen", "at least half of it for one second", true],
    ["1 view not counted", "the same visitor and offer once more", false],
    ["Click, billed", "link followed, budget had room", true],
    [
      "Click, counted",
      "link followed from an address that is not registered; clicks cost nothing here",
      true,
    ],
    ["Click, not counted", "the same visitor and offer once more", false],
  ]);
  expect(storyTitle(told)).toBe("Blocked, 3 offers handed out, 1 click billed");
});

test("a rule that has changed since is not told as the reason", () => {
  const [first] = storyOf({ ...told, now: { ...told.now, allowed: true, reason: null } });
  expect(first?.says).toBe("by a rule that has changed since");
});

test("an offer's fate is its place and the last that counts of it", () => {
  expect(["offer_1", "offer_2", "offer_3", "offer_4"].map((id) => fateOf(told, id))).toEqual([
    "Premium, clicked",
    "Standard 1, seen",
    "Standard 2, not seen",
    null,
  ]);
});
