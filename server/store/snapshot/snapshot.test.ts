import { describe, expect, test } from "vitest";
import { sampleOffer, sampleWebsite } from "../../core/sample-catalogue.ts";
import type { CatalogueChanges, SnapshotChanges } from "../../core/snapshot-changes.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { Snapshot } from "./snapshot.ts";

const part = (members: Partial<CatalogueChanges> = {}): CatalogueChanges => ({
  ...{ version: 2, websites: [], offers: [], apiKeys: [], secrets: [] },
  ...members,
});
const found = (members: Partial<SnapshotChanges> = {}): SnapshotChanges => ({
  ...{ catalogue: [], salts: null, exhausted: null, paced: null, dismissed: [], rates: null },
  ...members,
});
/** When polls are read, where a test does not say so. */
const readAt = Date.UTC(2026, 10, 20, 12);
const filled = (...polls: Partial<SnapshotChanges>[]): Snapshot => {
  const snapshot = new Snapshot();
  for (const changes of polls) snapshot.apply(snapshot.startPoll(), found(changes), readAt);
  return snapshot;
};

describe("the catalogue", () => {
  test("takes all parts of a change over, and later changes beside what it has", () => {
    const snapshot = filled(
      {
        catalogue: [
          part({ websites: [sampleWebsite({ id: 1, key: "ws_a" })] }),
          part({
            websites: [sampleWebsite({ id: 2, key: "ws_b" })],
            offers: [sampleOffer({ id: "offer_1" })],
          }),
        ],
      },
      { catalogue: [part({ version: 3, websites: [sampleWebsite({ id: 2, key: "ws_b", name: "New" })] })] },
    );
    expect(snapshot.catalogue.version).toBe(3);
    expect(snapshot.catalogue.website("ws_a")?.id).toBe(1);
    expect(snapshot.catalogue.website("ws_b")?.name).toBe("New");
    expect(snapshot.catalogue.offer("offer_1")?.number).toBe(1);
  });

  test("forgets what was counted of an offer as well where it begins anew, but for the counts that come with it", () => {
    const counts = [1, 2].map((offer) => ({
      ...{ offer, vertical: "books", country: "DE", placement: "standard" as const },
      ...{ impressions: 1000, clicks: 500 },
    }));
    const snapshot = filled({ catalogue: [part()], rates: { version: 1, counts } });
    const rateOf = (number: number) => snapshot.rates.of({ number, vertical: "games" }, "DE");
    expect(rateOf(1)).toEqual(rateOf(2));
    const rates = { version: 2, counts: counts.slice(1) };
    snapshot.apply(
      snapshot.startPoll(),
      found({ catalogue: [part({ beginsAnew: true }), part()], rates }),
      readAt,
    );
    expect(rateOf(2).clicks).toBeGreaterThan(500);
    expect(rateOf(1).clicks).toBeLessThan(10);
  });
});

describe("credentials", () => {
  const key = {
    id: "k",
    publisherId: sampleWebsite().publisherId,
    websiteId: null,
    hash: new Uint8Array(32),
    scopes: [],
    expiresAt: null,
    revokedAt: null,
  };
  const secret = { secretId: "secret_1", websiteId: 1, hash: "h", isRevoked: false };

  test("are known until they come back as revoked", () => {
    const snapshot = filled({ catalogue: [part({ apiKeys: [key], secrets: [secret] })] });
    expect(snapshot.apiKey("k")).toEqual(key);
    expect(snapshot.secret("h")).toEqual({ secretId: "secret_1", websiteId: 1, hash: "h" });
    const revoked = part({ apiKeys: [{ ...key, revokedAt: 5 }], secrets: [{ ...secret, isRevoked: true }] });
    snapshot.apply(snapshot.startPoll(), found({ catalogue: [revoked] }), readAt);
    expect(snapshot.apiKey("k")).toBeUndefined();
    expect(snapshot.secret("h")).toBeUndefined();
  });

  test("that were revoked before they were read are never known", () => {
    const apiKeys = [{ ...key, revokedAt: 5 }];
    const snapshot = filled({ catalogue: [part({ apiKeys, secrets: [{ ...secret, isRevoked: true }] })] });
    expect(snapshot.apiKey("k")).toBeUndefined();
    expect(snapshot.secret("h")).toBeUndefined();
  });
});

describe("budgets", () => {
  test("are used up for the offers that the last poll has named", () => {
    const snapshot = filled({ exhausted: [1, 2] }, { exhausted: [2] }, { exhausted: null });
    expect([snapshot.hasBudget(1), snapshot.hasBudget(2)]).toEqual([true, false]);
  });

  test("that are spread over the day are told as the last poll has told them", () => {
    const spend = { offer: 7, day: 5, spentShare: 0.5, createdAt: 0 };
    const snapshot = filled({ paced: [spend] }, { paced: null });
    expect([snapshot.pacedSpend(7), snapshot.pacedSpend(8)]).toEqual([spend, undefined]);
    snapshot.apply(snapshot.startPoll(), found({ paced: [] }), readAt);
    expect(snapshot.pacedSpend(7)).toBeUndefined();
  });

  test("that the writer has announced stay used up until a poll that was asked later", () => {
    const snapshot = new Snapshot();
    const underWay = snapshot.startPoll();
    snapshot.announceExhausted([{ offer: 7, day: null }], readAt);
    snapshot.apply(underWay, found({ exhausted: [] }), readAt);
    expect(snapshot.hasBudget(7)).toBe(false);
    snapshot.apply(snapshot.startPoll(), found({ exhausted: [] }), readAt);
    expect(snapshot.hasBudget(7)).toBe(true);
  });

  test("that the writer has announced by the cap of a day are not so by that of a day before", () => {
    const snapshot = new Snapshot();
    const today = dayNumber(readAt);
    const days = [today - 1, today, today + 1];
    snapshot.announceExhausted(
      days.map((day, at) => ({ offer: at, day })),
      readAt,
    );
    expect(days.map((_, at) => snapshot.hasBudget(at))).toEqual([true, false, false]);
  });

  test("that the writer has announced are as the polls before have told them where a later one finds nothing new", () => {
    const snapshot = filled({ exhausted: [8] });
    snapshot.announceExhausted(
      [7, 8].map((offer) => ({ offer, day: null })),
      readAt,
    );
    snapshot.apply(snapshot.startPoll(), found({ exhausted: null }), readAt);
    expect([snapshot.hasBudget(7), snapshot.hasBudget(8)]).toEqual([true, false]);
  });
});

describe("salts", () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  const day = dayNumber(noon);
  const dayMs = 86_400_000;
  const three = [day - 1, day, day + 1].map((number) => ({ day: number, salt: `salt of ${number}` }));

  test("are those of the clock's day and of the day before, from the first millisecond on", () => {
    const snapshot = filled({ salts: three });
    const { today, yesterday } = snapshot.salts(noon);
    expect(snapshot.salts(noon + 1)).toEqual({ today, yesterday });
    const midnight = (day + 1) * dayMs;
    expect(snapshot.salts(midnight - 1)).toEqual({ today, yesterday });
    const next = snapshot.salts(midnight);
    expect(next.yesterday).toBe(today);
    expect(next.today).not.toBe(today);
    expect(snapshot.salts(noon)).toEqual({ today, yesterday });
  });

  test("are the nearest ones when the clock is elsewhere, and new ones are taken at once", () => {
    const snapshot = filled({ salts: three.slice(0, 2) });
    const { today } = snapshot.salts(noon);
    expect(snapshot.salts(noon + 9 * dayMs)).toEqual({ today, yesterday: today });
    snapshot.apply(snapshot.startPoll(), found({ salts: [{ day: day + 9, salt: "new" }] }), readAt);
    expect(snapshot.salts(noon + 9 * dayMs).today).not.toBe(today);
  });

  test("are missing before the first poll", () => {
    expect(() => new Snapshot().salts(noon)).toThrow("no salt");
  });
});

describe("visitors who have closed the overlay", () => {
  const day = Date.UTC(2026, 10, 20);
  const dayMs = 24 * 60 * 60 * 1000;
  const dismissed = (...visitors: string[]) => visitors.map((visitor) => ({ visitor, at: day }));
  const known = (snapshot: Snapshot, ...visitors: string[]) =>
    visitors.filter((visitor) => snapshot.hasDismissed(visitor));

  test("are known from their note or from a poll, until something is noted on the next day", () => {
    const snapshot = filled({ dismissed: dismissed("one") });
    snapshot.noteDismissed([{ visitor: "two", at: day + 1000 }], day + 1000);
    expect(known(snapshot, "one", "two", "three")).toEqual(["one", "two"]);
    snapshot.noteDismissed([{ visitor: "three", at: day + dayMs }], day + dayMs);
    snapshot.noteDismissed(dismissed("late"), day + dayMs);
    expect(known(snapshot, "one", "two", "three", "late")).toEqual(["three"]);
  });

  test.each([1, 900])("are known again once a clock that was ahead by %i days is right", (days) => {
    const ahead = day + days * dayMs;
    const snapshot = filled();
    snapshot.noteDismissed([{ visitor: "ahead", at: ahead }], ahead);
    snapshot.noteDismissed(dismissed("one"), day);
    // After a start the row of that day comes with all others.
    snapshot.apply(
      snapshot.startPoll(),
      found({ dismissed: [{ visitor: "ahead", at: ahead }, ...dismissed("two")] }),
      day,
    );
    expect(known(snapshot, "one", "two")).toEqual(["one", "two"]);
  });

  test("are known once a clock that was behind as they were read is right", () => {
    const snapshot = new Snapshot();
    snapshot.apply(snapshot.startPoll(), found({ dismissed: dismissed("one") }), day - 900 * dayMs);
    snapshot.noteDismissed([], day);
    expect(known(snapshot, "one")).toEqual(["one"]);
  });

  test("are so many at the most, the newest", () => {
    const most = 250_000;
    const snapshot = filled();
    const many = Array.from({ length: most + 2 }, (_, at) => `visitor ${at}`);
    snapshot.noteDismissed(
      many.map((visitor) => ({ visitor, at: day })),
      day,
    );
    const asked = [0, 1, 2, most + 1].map((at) => `visitor ${at}`);
    expect(known(snapshot, ...asked)).toEqual(asked.slice(2));
  });
});
