import { tmpdir } from "node:os";
import type { RefusalReason } from "@offers/contract/words";
import { afterEach, describe, expect, test } from "vitest";
import type { JournalEntry, Visit } from "../../core/journal-entry.ts";
import { beacon, hop, impression, morning, served, visitOf } from "../conformance/journal-for-tests.ts";
import { cpc, cpm, newJournal } from "../sqlite/sqlite-for-tests.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const openJournal = async () => {
  const journal = await newJournal(tmpdir());
  closing.push(journal.close);
  return journal;
};

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) =>
        permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
      );

// But for what comes after its day, which comes last, and takes nothing back (describe-billing.ts).
describe("the order of arrival changes neither rows nor counters", () => {
  const visit = visitOf("r1");
  const later: Visit = { ...visit, at: morning + 400 };
  const latest: Visit = { ...visit, at: morning + 900 };
  const bad: RefusalReason[] = ["rate"];
  const all = (...[seen, tried, followed]: RefusalReason[][]) => [
    impression(visit, cpc, seen),
    beacon(later, cpc, tried),
    hop(latest, cpc, followed),
  ];
  const cases: { name: string; entries: JournalEntry[]; counts: object }[] = [
    {
      name: "beacon and hop both good: one click, billed once, with its impression",
      entries: all([], [], []).slice(1),
      counts: { impressions: 1, clicks: 1, billable_clicks: 1, spend_micros: 1000, filtered: 0 },
    },
    {
      name: "a good beacon and a refused hop: a refused click and no impression",
      entries: all([], [], bad).slice(1),
      counts: { impressions: 0, clicks: 0, billable_clicks: 0, spend_micros: 0, filtered: 1 },
    },
    {
      name: "a refused beacon and a good hop: a billed click",
      entries: all([], bad, []).slice(1),
      counts: { impressions: 1, clicks: 1, billable_clicks: 1, spend_micros: 1000, filtered: 0 },
    },
    {
      name: "impression, beacon and hop, all good",
      entries: all([], [], []),
      counts: { impressions: 1, clicks: 1, billable_clicks: 1, spend_micros: 1000, filtered: 0 },
    },
    {
      name: "a refused impression counts after all when its click does",
      entries: all(bad, [], []),
      counts: { impressions: 1, clicks: 1, billable_clicks: 1, spend_micros: 1000, filtered: 0 },
    },
    {
      name: "a refused impression stays refused when the hop is refused",
      entries: all(bad, [], ["not_permitted"]),
      counts: { impressions: 0, clicks: 0, billable_clicks: 0, spend_micros: 0, filtered: 2 },
    },
    {
      name: "a robot's hop beside a person's impression and beacon",
      entries: all(bad, [], ["bot"]),
      counts: { impressions: 1, clicks: 1, billable_clicks: 0, spend_micros: 0, filtered: 1 },
    },
    {
      name: "a good impression stays counted when the hop is refused",
      entries: all([], [], bad),
      counts: { impressions: 1, clicks: 0, billable_clicks: 0, spend_micros: 0, filtered: 1 },
    },
    {
      name: "an impression and a beacon without a hop",
      entries: all(bad, [], []).slice(0, 2),
      counts: { impressions: 1, clicks: 1, billable_clicks: 0, spend_micros: 0, filtered: 0 },
    },
    {
      name: "everything refused",
      entries: all(bad, ["bot"], ["not_permitted"]),
      counts: { impressions: 0, clicks: 0, billable_clicks: 0, spend_micros: 0, filtered: 2 },
    },
    {
      name: "beacon on one UTC day, hop on the next",
      entries: [
        beacon({ ...visit, at: Date.UTC(2026, 4, 4, 23, 59, 59, 900) }, cpc),
        hop({ ...visit, at: Date.UTC(2026, 4, 5, 0, 0, 0, 100) }, cpc),
      ],
      counts: { impressions: 1, clicks: 1, billable_clicks: 1, spend_micros: 1000, filtered: 0 },
    },
    {
      name: "a beacon that names another surface and place than the hop",
      entries: [
        { ...beacon({ ...later, surface: "section" }, cpc), placement: "section", position: 9 },
        hop(latest, cpc),
      ],
      counts: { impressions: 1, clicks: 1, billable_clicks: 1, spend_micros: 1000, filtered: 0 },
    },
  ];
  test.each(cases)("$name", async ({ entries, counts }) => {
    const ends: { rows: unknown; counters: unknown }[] = [];
    for (const order of permutations(entries)) {
      for (const isOneBatch of [false, true]) {
        const journal = await openJournal();
        journal.record(served(visit, [cpc]));
        if (isOneBatch) journal.record(...order);
        else for (const entry of order) journal.record(entry);
        expect(await journal.differences()).toEqual([]);
        ends.push({ rows: journal.rows(), counters: journal.counters() });
        expect(journal.counters().reduce(total, {})).toMatchObject({ ...counts, served: 1 });
      }
    }
    for (const end of ends) expect(end).toEqual(ends[0]);
  });

  test("a CPM offer's impression is billed once in every order, even when only the hop implies it", async () => {
    const parts = [impression(visit, cpm), beacon(later, cpm), hop(latest, cpm), impression(latest, cpm)];
    for (const order of permutations(parts)) {
      const journal = await openJournal();
      journal.record(served(visit, [cpm], { model: "CPM", micros: 50 }));
      for (const entry of order) journal.record(entry);
      expect(journal.lines()).toEqual([{ kind: "impression", micros: -50 }]);
      expect(journal.counters()).toMatchObject([
        { impressions: 1, clicks: 1, billable_clicks: 0, spend_micros: 50, filtered: 1 },
      ]);
      expect(await journal.differences()).toEqual([]);
    }
  });
});

const total = (sum: Record<string, unknown>, cell: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(cell)
      .filter(([, value]) => typeof value === "number")
      .map(([name, value]) => [name, Number(sum[name] ?? 0) + Number(value)]),
  );
