import { expect, it } from "vitest";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { createJournalMeter } from "./journal-meter.ts";

const entry = (kind: JournalEntry["kind"], more: object = {}) => ({ kind, ...more }) as JournalEntry;
const outcome = (refusal: JournalOutcome["refusal"]): JournalOutcome => ({
  eventId: null,
  refusal,
  billedMicros: null,
});

const meterAt = () => {
  const time = { now: 1000 };
  return { time, meter: createJournalMeter(() => time.now) };
};

it("tells the events of the last minute by type, and those that did not count by reason", () => {
  const { meter } = meterAt();
  meter.noted(entry("blocked"), null);
  // Nobody waits to hear what became of it, and it is refused all the same.
  meter.noted(entry("blocked", { observed: ["datacenter"] }), null);
  meter.noted(entry("click_hop"), outcome(null));
  meter.noted(entry("click_hop"), outcome("duplicate"));
  meter.noted(entry("clicks_refused", { clicks: 5 }), null);
  meter.noted(entry("server_event", { type: "impression" }), outcome("not_served"));
  // Neither an event of a visit nor anything to count.
  meter.noted(entry("key_used"), null);
  meter.noted(entry("click_beacon"), outcome(null));
  // Passed over, or a part of what was counted before.
  const nothing = { ...outcome(null), addsNothing: true as const };
  meter.noted(entry("decline_triggered"), nothing);
  meter.noted(entry("drawn"), nothing);
  meter.noted(entry("server_event", { type: "click" }), nothing);
  meter.noted(entry("impression"), { ...nothing, refusal: "datacenter" });
  const { events, reasons } = meter.read();
  expect(events).toEqual([
    { type: "blocked", events: 2, refused: 1 },
    { type: "click", events: 7, refused: 6 },
    { type: "impression", events: 1, refused: 1 },
  ]);
  expect(reasons).toEqual([
    { reason: "datacenter", events: 1 },
    { reason: "duplicate", events: 1 },
    { reason: "rate", events: 5 },
    { reason: "not_served", events: 1 },
  ]);
});

it("tells an impression that a click implies, by whichever half of the click", () => {
  const { meter } = meterAt();
  const implies = { ...outcome(null), impliesImpression: true as const };
  meter.noted(entry("click_beacon"), implies);
  meter.noted(entry("click_hop"), implies);
  meter.noted(entry("server_event", { type: "click" }), implies);
  expect(meter.committedEvents()).toEqual([
    { type: "impression", outcome: "counted", events: 3 },
    { type: "click", outcome: "counted", events: 2 },
  ]);
});

it("forgets what is older than a minute, also where nothing came in between", () => {
  const { time, meter } = meterAt();
  meter.noted(entry("blocked"), null);
  meter.committed(3);
  time.now += 30;
  meter.noted(entry("blocked"), null);
  expect(meter.read().events).toEqual([{ type: "blocked", events: 2, refused: 0 }]);
  time.now += 31;
  expect(meter.read()).toMatchObject({ events: [{ events: 1 }], commit: null });
  time.now += 120;
  expect(meter.read()).toEqual({ events: [], reasons: [], commit: null });
});

it("tells the median of the commits and the worst, however many there were", () => {
  const { meter } = meterAt();
  expect(meter.read().commit).toBeNull();
  for (let at = 0; at < 2000; at += 1) meter.committed(at % 10);
  meter.committed(90);
  expect(meter.read().commit).toMatchObject({ commits: 512, worstMs: 90 });
  expect(meter.read().commit?.medianMs).toBeGreaterThanOrEqual(4);
  expect(meter.read().commit?.medianMs).toBeLessThanOrEqual(5);
});
