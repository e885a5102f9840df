import type { SessionId } from "@offers/contract/ids";
import { describe, expect, test } from "vitest";
import {
  type DeclineSession,
  expiryOf,
  factsOfSession,
  hasExpired,
  mostSessions,
  pollVerdict,
  roomVerdict,
  sessionIdOf,
  triggerVerdict,
} from "./decline-session.ts";

const openedAt = Date.UTC(2026, 10, 20, 12);
const end = openedAt + 900_000;
const session: DeclineSession = {
  sessionId: `dcl_${"A".repeat(22)}` as SessionId,
  websiteId: 7,
  origin: "https://loans.example",
  request: "0123456789abcdef",
  country: "DE",
  region: "BE",
  test: false,
  device: 0,
  visitor: "v".repeat(22),
  openedAt,
  expiresAt: expiryOf(openedAt),
  readyAt: null,
  suppression: null,
};
const ready = { ...session, readyAt: openedAt + 5000 };
const own = { websiteId: 7, origin: "https://loans.example" };

test("a session lives 900 seconds, its last millisecond included, its end not", () => {
  expect(session.expiresAt).toBe(end);
  expect([hasExpired(session, end - 1), hasExpired(session, end)]).toEqual([false, true]);
});

describe("states and what moves them", () => {
  test.each([
    ["a fresh one waits", session, openedAt, "pending", "become_ready"],
    ["it waits to its last millisecond", session, end - 1, "pending", "become_ready"],
    ["nobody triggers it in time", session, end, "expired", "expired"],
    ["a triggered one is ready", ready, openedAt + 5000, "ready", "stay_ready"],
    ["another node's clock may be behind", ready, openedAt + 4000, "ready", "stay_ready"],
    ["it is ready to its last millisecond", ready, end - 1, "ready", "stay_ready"],
    ["a ready one expires as well", ready, end, "expired", "expired"],
    ["and never comes back", ready, end + 86_400_000, "expired", "expired"],
  ] as const)("%s", (_, given, now, polled, triggered) => {
    expect(pollVerdict(given, { ...own, now }).outcome).toBe(polled);
    expect(triggerVerdict(given, { websiteId: 7, now })).toBe(triggered);
  });

  test.each([
    ["that never was", null, own],
    ["of another website", session, { ...own, websiteId: 8 }],
    ["of another page of the website", session, { ...own, origin: "https://www.loans.example" }],
    ["that is another's and ready", ready, { ...own, websiteId: 8 }],
    ["that is another's and expired", { ...ready, expiresAt: 0 }, { ...own, websiteId: 8 }],
  ])("one %s is unknown to a poll, and nothing else is told", (_, given, asked) => {
    expect(pollVerdict(given, { ...asked, now: openedAt })).toEqual({ outcome: "unknown" });
  });

  test.each([
    ["that never was", null],
    ["of another website", { ...session, websiteId: 8 }],
    ["of another website that expired", { ...session, websiteId: 8, expiresAt: 0 }],
  ])("one %s is unknown to a trigger", (_, given) => {
    expect(triggerVerdict(given, { websiteId: 7, now: openedAt })).toBe("unknown");
  });
});

describe("room for one more session", () => {
  const now = openedAt + 60_000;
  const oldest = { sessionId: "dcl_oldest" as SessionId, expiresAt: now + 1 };
  const own = { sessionId: "dcl_own" as SessionId, expiresAt: now + 2 };
  const over = { sessionId: "dcl_over" as SessionId, expiresAt: now };
  const none = { oldest: null, oldestOfOpener: null };
  const most = { all: 100, ofWebsite: 10 };
  const open = (givesWay: string | null) => ({ outcome: "open", givesWay });
  test.each([
    ["below both limits nobody gives way", [99, 9], { oldest, oldestOfOpener: own }, open(null)],
    [
      "with the website's last place taken, the opener's own goes",
      [10, 10],
      { oldest, oldestOfOpener: own },
      open("dcl_own"),
    ],
    [
      "of an opener who has none, the website's oldest goes",
      [10, 10],
      { oldest, oldestOfOpener: null },
      open("dcl_oldest"),
    ],
    [
      "one that is over goes before the opener's own",
      [10, 10],
      { oldest: over, oldestOfOpener: own },
      open("dcl_over"),
    ],
    ["where all were triggered, nobody goes and nothing is opened", [10, 10], none, { outcome: "too_many" }],
    [
      "where all places are taken, a website replaces its own",
      [100, 2],
      { oldest, oldestOfOpener: null },
      open("dcl_oldest"),
    ],
    ["and one that has none opens none", [100, 0], none, { outcome: "too_many" }],
    [
      "above a limit that was once higher it is the same",
      [10, 30],
      { oldest, oldestOfOpener: own },
      open("dcl_own"),
    ],
  ] as const)("%s", (_, [all, ofWebsite], waiting, verdict) => {
    expect(roomVerdict({ all, ofWebsite }, waiting, now, most)).toEqual(verdict);
  });

  test("a website has a tenth of all places", () => {
    expect(mostSessions).toEqual({ all: 500_000, ofWebsite: 50_000 });
  });
});

test("the requestId is of the moment of opening, as its key is, and withholds what the trigger said", () => {
  const suppression = { vulnerable: true, names: [1, 2] };
  const decidedBy = { catalogue: 3, geoSource: 4 };
  expect(factsOfSession({ ...ready, suppression, decidedBy })).toEqual({
    websiteId: 7,
    country: "DE",
    region: "BE",
    allowed: false,
    surface: "decline",
    test: false,
    visitor: session.visitor,
    suppression,
    decidedBy,
    issuedAt: openedAt,
  });
  for (const absent of ["suppression", "decidedBy"]) expect(factsOfSession(ready)).not.toHaveProperty(absent);
});

test("an id spells 128 random bits", () => {
  expect(sessionIdOf(Buffer.alloc(16, 0xff))).toBe(`dcl_${"_".repeat(21)}w`);
  expect(() => sessionIdOf(Buffer.alloc(15))).toThrow(RangeError);
});
