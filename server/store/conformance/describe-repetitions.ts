import type { RefusalReason } from "@offers/contract/words";
import { describe, expect, test } from "vitest";
import { type FactType, factTypes } from "../../core/fact.ts";
import type { JournalEntry, Visit } from "../../core/journal-entry.ts";
import { pingedPagesKept } from "../../core/snippet-ping.ts";
import type { EngineUnderTest } from "./engine-under-test.ts";
import { beacon, blocked, hop, impression, morning, reported, served, visitOf } from "./journal-for-tests.ts";
import { cpa, cpc, journalsOf } from "./open-journal-for-tests.ts";

/** What becomes of what comes again: one counts, however often, and no repetition of an event is lost. */
export function describeRepetitions(engine: EngineUnderTest): void {
  const openJournal = journalsOf(engine);

  describe("repetitions", () => {
    const answer = [factTypes.served, factTypes.repeatedAnswer];
    const kinds: {
      name: string;
      before: (visit: Visit) => JournalEntry[];
      again: (visit: Visit) => JournalEntry;
      types: FactType[];
      rows?: number;
      filtered?: number;
      reason?: RefusalReason;
    }[] = [
      {
        name: "followed link",
        before: (visit) => [served(visit, [cpc]), hop(visit, cpc)],
        again: (visit) => hop(visit, cpc),
        types: [factTypes.click],
      },
      {
        name: "view",
        before: (visit) => [served(visit, [cpc]), impression(visit, cpc)],
        again: (visit) => impression(visit, cpc),
        types: [factTypes.impression],
      },
      {
        name: "click that a page reports",
        before: (visit) => [served(visit, [cpc]), beacon(visit, cpc)],
        again: (visit) => beacon(visit, cpc),
        types: [factTypes.click],
      },
      {
        name: "answer of two offers",
        before: (visit) => [served(visit, [cpc, cpa])],
        again: (visit) => served(visit, [cpc, cpa]),
        types: answer,
        filtered: 60,
      },
      {
        name: "report of an offer that was served",
        before: (visit) => [served(visit, [cpc])],
        again: (visit) => reported(visit, cpc),
        types: answer,
      },
      {
        name: "report of an offer that nobody has handed out",
        before: () => [],
        again: (visit) => reported(visit, cpc),
        types: answer,
        rows: 20,
        reason: "not_served",
      },
    ];

    test.each(kinds)(
      "twenty repetitions of one $name are kept, all are counted as filtered, and a click still bills once",
      async ({ before, again, types, rows = 1 + 20, filtered = 30, reason = "duplicate" }) => {
        const journal = await openJournal();
        const visit = visitOf("r1");
        await journal.record(...before(visit));
        for (let round = 0; round < 3; round++) {
          const outcomes = await journal.record(...Array.from({ length: 10 }, () => again(visit)));
          expect(new Set(outcomes.map(({ refusal }) => refusal))).toEqual(new Set([reason]));
        }
        const kept = await journal.db.selectFrom("fact").select("seq").where("type", "in", types).execute();
        expect(kept).toHaveLength(rows);
        const counted = await journal.counters();
        expect(counted.reduce((sum, counter) => sum + counter.filtered, 0)).toBe(filtered);
        expect(await journal.differences()).toEqual([]);
        await journal.record(served(visit, [cpc]), hop(visit, cpc));
        const later = await journal.counters();
        expect(later.map(({ billable_clicks }) => billable_clicks)).toEqual([1]);
        expect(await journal.differences()).toEqual([]);
      },
    );

    test("one event of each kind counts; every repetition is stored as a duplicate", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1");
      const entries = [
        blocked(visit),
        served(visit, [cpc]),
        impression(visit, cpc),
        beacon(visit, cpc),
        hop(visit, cpc),
      ];
      for (let round = 0; round < 3; round++) await journal.record(...entries);
      expect(await journal.counters()).toMatchObject([
        {
          vertical: "games",
          served: 1,
          impressions: 1,
          clicks: 1,
          billable_clicks: 1,
          spend_micros: 1000,
          filtered: 8,
        },
        { vertical: "news", blocked: 1, filtered: 2 },
      ]);
      const repetitions = (await journal.facts()).filter(({ seq }) => seq > 0);
      expect(repetitions).toHaveLength(8);
      expect(new Set(repetitions.map(({ reason }) => reason))).toEqual(new Set(["duplicate"]));
      expect(await journal.differences()).toEqual([]);
    });

    test("what is passed over, or completes an event, says that it adds none, and a click what it implies", async () => {
      const journal = await openJournal();
      const [visit, other] = [visitOf("r1"), visitOf("r2")];
      const drawn = { kind: "drawn" as const, visit: { ...visit, at: visit.at - 1000 }, offers: [cpc] };
      const click = { ...reported(visit, cpc), type: "click" as const };
      const idempotency = { scope: "s", key: "k", fingerprint: "f", isTooOld: false };
      const keyed = { ...reported(visit, cpa), type: "impression" as const, idempotency };
      const outcomes = await journal.record(
        served(visit, [cpc, cpa]),
        drawn,
        drawn,
        hop(visit, cpc),
        click,
        impression(visit, cpc, ["datacenter"]),
        keyed,
        keyed,
        { ...keyed, idempotency: { ...idempotency, fingerprint: "g" } },
        { ...keyed, idempotency: { ...idempotency, key: "l", isTooOld: true } },
        beacon(visit, cpa),
        served(other, [cpc]),
        beacon(other, cpc),
        // It takes the view back that the report of the click has implied.
        hop(other, cpc, ["paused"]),
      );
      const added = outcomes.map(({ addsNothing, impliesImpression }) =>
        addsNothing ? 0 : impliesImpression ? 2 : 1,
      );
      expect(added).toEqual([1, 1, 0, 2, 0, 0, 1, 0, 0, 0, 1, 1, 2, 1]);
      expect(await journal.counters()).toMatchObject([{ impressions: 2, clicks: 2, filtered: 1 }]);
    });

    test("a visit that the journal itself comes with again is the same visit, whether or not it was written", async () => {
      const journal = await openJournal();
      const known = blocked(visitOf("r1"));
      const unknown = blocked(visitOf("r2"));
      const again = [known, unknown].map((entry) => ({ ...entry, isAgain: true as const }));
      const [first] = await journal.record(known);
      // In one batch and in one more: what is read ahead and what is read from the disk.
      const outcomes = [...(await journal.record(...again, ...again)), ...(await journal.record(...again))];
      expect(new Set(outcomes.map(({ eventId }) => eventId)).size).toBe(2);
      expect(outcomes[0]).toEqual(first);
      expect(new Set(outcomes.map(({ refusal }) => refusal))).toEqual(new Set([null]));
      expect(await journal.facts()).toHaveLength(2);
      expect(await journal.counters()).toMatchObject([{ vertical: "news", blocked: 2, filtered: 0 }]);
      expect(await journal.differences()).toEqual([]);
    });

    test("a view is what its first report says, a robot's too, until a click that counts makes it count", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1");
      const [, , own] = await journal.record(
        served(visit, [cpc]),
        impression(visit, cpc, ["bot"]),
        impression(visit, cpc),
      );
      expect(own?.refusal).toBe("duplicate");
      expect(await journal.counters()).toMatchObject([{ served: 1, impressions: 0, filtered: 2 }]);
      await journal.record(hop(visit, cpc));
      expect(await journal.counters()).toMatchObject([{ impressions: 1, clicks: 1, filtered: 1 }]);
      expect(await journal.differences()).toEqual([]);
    });

    test("what a server was given may be drawn without having been served, on no known device", async () => {
      const journal = await openJournal();
      const [given, seen] = [visitOf("r1"), visitOf("r1", { device: 1 })];
      const drawn = { kind: "drawn" as const, visit: { ...seen, at: seen.at - 1000 }, offers: [cpc] };
      await journal.record({ ...served(given, [cpc]), kind: "noted" }, drawn, hop(seen, cpc));
      expect(await journal.counters()).toMatchObject([{ served: 0, drawn: 1, impressions: 1, clicks: 1 }]);
      expect(await journal.db.selectFrom("cell").select("device").execute()).toEqual([{ device: 0 }]);
      expect(await journal.differences()).toEqual([]);
    });

    test("a repetition carries the first reason of all that were seen", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1");
      const [, , again, third] = await journal.record(
        served(visit, [cpc]),
        hop(visit, cpc),
        hop(visit, cpc, ["bot", "rate"]),
        hop(visit, cpc, ["paused"]),
      );
      expect(again?.refusal).toBe("bot");
      expect(third?.refusal).toBe("duplicate");
    });

    test("an offer that is handed out again keeps its first price", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1");
      const outcomes = await journal.record(
        served(visit, [cpc], { micros: 700 }),
        served(visit, [cpc, cpa], { micros: 900 }),
        served(visit, [cpc], { micros: 900 }),
        hop(visit, cpc),
      );
      expect(outcomes.map(({ refusal }) => refusal)).toEqual([null, null, "duplicate", null]);
      expect(outcomes[3]?.billedMicros).toBe(700);
      expect(outcomes[3]?.eventId).toMatch(/^evt_[\w-]{27}$/);
    });

    /** A click's visitor has read the offer by then. */
    const earlier = (visit: Visit): Visit => ({ ...visit, at: visit.at - 1000 });
    const fixed = (visit: Visit) => served(visit, [cpc], { micros: 700 });
    const ways: [string, (visit: Visit) => JournalEntry][] = [
      [
        "its decision came with",
        (visit) => {
          const [offer] = fixed(visit).offers;
          return { ...blocked(earlier(visit)), ...(offer && { offer }) };
        },
      ],
      ["a server got a link of", (visit) => ({ ...fixed(visit), kind: "noted" })],
    ];

    test.each(ways)(
      "an offer that %s keeps its price when a page is handed it, and is served",
      async (_, hand) => {
        const journal = await openJournal();
        const visit = visitOf("r1");
        const outcomes = await journal.record(
          hand(visit),
          served(visit, [cpc], { micros: 900, model: "CPM" }),
          served(visit, [cpc], { micros: 900 }),
          hop(visit, cpc),
        );
        expect(outcomes.map(({ refusal }) => refusal)).toEqual([null, null, "duplicate", null]);
        expect(outcomes[3]?.billedMicros).toBe(700);
        expect(await journal.differences()).toEqual([]);
      },
    );

    const reasons = ["not_served", "datacenter"] as const;
    test.each(ways.flatMap(([way, hand]) => reasons.map((reason) => [way, reason, hand] as const)))(
      "a report that comes before what %s (%s) keeps nobody's click from counting",
      async (_, reason, hand) => {
        const journal = await openJournal();
        const visit = visitOf("r1");
        const [early, , late, again, click] = await journal.record(
          { ...reported(earlier(visit), cpc), observed: reason === "not_served" ? [] : [reason] },
          hand(visit),
          reported(earlier(visit), cpc),
          reported(earlier(visit), cpc),
          hop(visit, cpc),
        );
        const refusals = [early, late, again, click].map((outcome) => outcome?.refusal);
        expect(refusals).toEqual([reason, null, "duplicate", null]);
        expect(click?.billedMicros).toBe(700);
        expect(await journal.differences()).toEqual([]);
      },
    );
  });

  const ping = (at: number, host = "shop.example", scriptVersion = "1.0.0") => ({
    kind: "snippet_ping" as const,
    websiteId: 1,
    host,
    url: `https://${host}/a`,
    scriptVersion,
    surface: "overlay" as const,
    at,
  });

  test("a thousand pings of one page and hour are one row", async () => {
    const journal = await openJournal();
    await journal.record(...Array.from({ length: 1000 }, (_, index) => ping(morning + index)));
    await journal.record(ping(morning + 3_600_000), ping(morning, "other.example"));
    const rows = await journal.db.selectFrom("snippet_ping").selectAll().orderBy("hour").execute();
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ hour: morning, last_at: morning + 999, loads: 1000 });
  });

  test("a thousand made-up versions and hosts of an hour leave two hundred rows, and one that counts the others", async () => {
    const journal = await openJournal();
    const madeUp = Array.from({ length: 1000 }, (_, index) =>
      index % 2 === 0
        ? ping(morning + index, "shop.example", `1.0.${index}`)
        : ping(morning + index, `h${index}.shop.example`),
    );
    // In one batch and in several: what stands already is known in both.
    await journal.record(...madeUp.slice(0, 150));
    await journal.record(...madeUp.slice(150, 170));
    await journal.record(...madeUp.slice(170));
    await journal.record(ping(morning + 2000, "shop.example", "1.0.0"), ping(morning + 2001, "late.example"));
    await journal.record(ping(morning + 3_600_000, "late.example"), {
      ...ping(morning, "late.example"),
      websiteId: 2,
    });
    const rows = await journal.db.selectFrom("snippet_ping").selectAll().orderBy("last_at").execute();
    const ofHour = rows.filter(({ hour, website_id }) => hour === morning && website_id === 1);
    expect(ofHour).toHaveLength(pingedPagesKept + 1);
    expect(ofHour.reduce((sum, { loads }) => sum + loads, 0)).toBe(1002);
    expect(ofHour.slice(-2)).toMatchObject([
      { host: "shop.example", script_version: "1.0.0", loads: 2, last_at: morning + 2000 },
      { host: "", script_version: "", url: "", loads: 801, last_at: morning + 2001 },
    ]);
    expect(rows.filter(({ host }) => host === "late.example")).toHaveLength(2);
  });
}
