import { expect, test } from "vitest";
import { sampleOffer } from "./sample-catalogue.ts";
import { createSchedules } from "./schedule.ts";

const { runs, runningTime } = createSchedules();
const offerOf = (over: Parameters<typeof sampleOffer>[0]) => sampleOffer(over);
const [berlin, newYork, lordHowe] = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];
const working = { days: ["mon", "tue", "wed", "thu", "fri"], hours: ["9-17"] } as const;
const weekdays = (timeZone: string) => ({ days: [...working.days], hours: [...working.hours], timeZone });

test.each([
  ["without a schedule", {}, "2026-05-04T03:00Z", true],
  ["from its start", { startsAt: "2026-05-04T09:00" }, "2026-05-04T09:00Z", true],
  ["not before it", { startsAt: "2026-05-04T09:00" }, "2026-05-04T08:59:59Z", false],
  ["a start in a zone", { startsAt: "2026-05-04T09:00", timeZone: berlin }, "2026-05-04T07:00Z", true],
  ["and not before", { startsAt: "2026-05-04T09:00", timeZone: berlin }, "2026-05-04T06:59:59Z", false],
  ["a start by date alone", { startsAt: "2026-05-04", timeZone: newYork }, "2026-05-04T04:00Z", true],
  ["before that date", { startsAt: "2026-05-04", timeZone: newYork }, "2026-05-04T03:59:59Z", false],
  ["until its end", { endsAt: "2026-05-04T09:00" }, "2026-05-04T08:59:59Z", true],
  ["not at it", { endsAt: "2026-05-04T09:00" }, "2026-05-04T09:00Z", false],
  ["an end by date, with that day", { endsAt: "2026-05-04", timeZone: berlin }, "2026-05-04T21:59:59Z", true],
  ["and no longer", { endsAt: "2026-05-04", timeZone: berlin }, "2026-05-04T22:00Z", false],
  ["a Monday at nine in Berlin's summer", weekdays(berlin), "2026-05-04T07:00Z", true],
  ["a quarter before", weekdays(berlin), "2026-05-04T06:59:59Z", false],
  ["a Monday at nine in Berlin's winter", weekdays(berlin), "2026-01-05T08:00Z", true],
  ["an hour before", weekdays(berlin), "2026-01-05T07:59:59Z", false],
  ["five in the afternoon is over", weekdays(berlin), "2026-05-04T15:00Z", false],
  ["one day alone", { days: ["mon"] }, "2026-05-04T12:00Z", true],
  ["to its end", { days: ["mon"] }, "2026-05-04T23:59:59Z", true],
  ["not on another", { days: ["mon"] }, "2026-05-05T00:00Z", false],
  ["no Saturday", weekdays(berlin), "2026-05-09T10:00Z", false],
  ["Sunday in UTC, Monday in Auckland", weekdays("Pacific/Auckland"), "2026-05-03T21:30Z", true],
  ["India's half hour", { hours: ["9-10"], timeZone: "Asia/Kolkata" }, "2026-05-04T03:30Z", true],
  ["not before it", { hours: ["9-10"], timeZone: "Asia/Kolkata" }, "2026-05-04T03:29:59Z", false],
  ["Nepal's quarter", { hours: ["9-10"], timeZone: "Asia/Kathmandu" }, "2026-05-04T03:15Z", true],
  ["one of several ranges", { hours: ["6-9", "22-24"] }, "2026-05-04T23:59:59Z", true],
  ["between them", { hours: ["6-9", "22-24"] }, "2026-05-04T12:00Z", false],
  ["the hour before clocks go forward", { hours: ["1-2"], timeZone: berlin }, "2026-03-29T00:59:59Z", true],
  ["the hour that is left out never comes", { hours: ["2-3"], timeZone: berlin }, "2026-03-29T01:00Z", false],
  ["what follows it", { hours: ["3-4"], timeZone: berlin }, "2026-03-29T01:00Z", true],
  ["the doubled hour the first time", { hours: ["2-3"], timeZone: berlin }, "2026-10-25T00:30Z", true],
  ["and the second time", { hours: ["2-3"], timeZone: berlin }, "2026-10-25T01:30Z", true],
  ["and then no more", { hours: ["2-3"], timeZone: berlin }, "2026-10-25T02:00Z", false],
  [
    "a start in the hour that is left out",
    { startsAt: "2026-03-29T02:30", timeZone: berlin },
    "2026-03-29T01:30Z",
    true,
  ],
  ["and not sooner", { startsAt: "2026-03-29T02:30", timeZone: berlin }, "2026-03-29T01:29:59Z", false],
  [
    "a start in the doubled hour",
    { startsAt: "2026-10-25T02:30", timeZone: berlin },
    "2026-10-25T00:30Z",
    true,
  ],
  ["and not sooner", { startsAt: "2026-10-25T02:30", timeZone: berlin }, "2026-10-25T00:29:59Z", false],
  ["a zone that changes by half an hour", { hours: ["2-3"], timeZone: lordHowe }, "2026-10-03T15:30Z", true],
] satisfies [string, Parameters<typeof sampleOffer>[0], string, boolean][])("%s", (_, over, at, expected) => {
  expect(runs(offerOf(over), Date.parse(at))).toBe(expected);
});

test.each([
  ["all day without a schedule", {}, 24],
  ["eight hours of a working day", weekdays(berlin), 8],
  ["from a start on", { startsAt: "2026-05-04T18:00" }, 6],
  ["within hours from a start on", { ...weekdays("UTC"), startsAt: "2026-05-04T10:30" }, 6.5],
  ["until an end", { endsAt: "2026-05-04T01:15" }, 1.25],
  ["not at all", { startsAt: "2026-05-05" }, 0],
])("an offer runs %s", (_, over, hours) => {
  const from = Date.parse("2026-05-04T00:00Z");
  expect(runningTime(offerOf(over), from, from + 86_400_000) / 3_600_000).toBe(hours);
});

test("an offer's hour counts in full from a moment within the quarter before it", () => {
  const [from, to] = ["2026-05-04T08:50Z", "2026-05-04T12:00Z"].map((text) => Date.parse(text));
  expect(runningTime(offerOf({ hours: ["9-10"] }), from ?? 0, to ?? 0)).toBe(3_600_000);
});
