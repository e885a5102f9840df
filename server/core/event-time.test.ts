import { utcTimestamp } from "@offers/contract/server-events";
import { describe, expect, it } from "vitest";
import { eventTime, visitEventTime } from "./event-time.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const dayMs = 86_400_000;
const inTime = (at: number) => ({ at, isTooOld: false });
const tooOld = (at: number) => ({ at, isTooOld: true });

describe("an event's time", () => {
  it.each([
    ["is the service's when it has none of its own", undefined, inTime(now)],
    ["is its own", "2026-11-20T11:59:59Z", inTime(now - 1000)],
    ["may have a fraction", "2026-11-20T11:59:59.250Z", inTime(now - 750)],
    ["may be seven days old", "2026-11-13T12:00:00Z", inTime(now - 7 * dayMs)],
    ["may be five minutes ahead", "2026-11-20T12:05:00Z", inTime(now + 300_000)],
    ["is too old above seven days", "2026-11-13T11:59:59.999Z", tooOld(now - 7 * dayMs - 1)],
    ["may repeat one of the last 24 hours", "2026-11-12T12:00:00.001Z", tooOld(now - 8 * dayMs + 1)],
    ["is refused when it repeats nothing that is known", "2026-11-12T12:00:00Z", null],
    ["is refused when it is over five minutes ahead", "2026-11-20T12:05:00.001Z", null],
    ["is refused in another century", "1926-11-20T12:00:00Z", null],
  ])("%s", (_name, ts, at) => {
    expect(eventTime(ts, now)).toEqual(at);
  });

  it.each([
    ["is its own between decision and report", now - 1000, now - 1000],
    ["is not before its decision", now - 3 * dayMs, now - 60_000],
    ["is not after the report", now + 240_000, now],
  ])("of a visit %s", (_name, at, wanted) => {
    expect(visitEventTime(at, { issuedAt: now - 60_000, receivedAt: now })).toBe(wanted);
  });

  it.each([
    "2026-11-20",
    "2026-11-20T12:00Z",
    "2026-11-20T12:00:00",
    "2026-11-20T12:00:00+01:00",
    "2026-11-20 12:00:00Z",
    "2026-11-20t12:00:00z",
    "2026-13-01T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T23:59:60Z",
    "2026-11-20T12:00:00.Z",
    "2026-11-20T12:00:00.1234567890Z",
    "٢٠٢٦-11-20T12:00:00Z",
    "now",
    "",
    " 2026-11-20T12:00:00Z",
  ])("cannot be written as %j", (text) => {
    expect(utcTimestamp.safeParse(text).success).toBe(false);
  });

  it.each([
    ["2026-11-20T12:00:00Z", "2026-11-20T12:00:00Z"],
    ["2026-11-20T12:00:00+00:00", "2026-11-20T12:00:00Z"],
    ["2026-11-20T12:00:00.123456789+00:00", "2026-11-20T12:00:00.123456789Z"],
  ])("is written as %s and read as %s", (text, read) => {
    expect(utcTimestamp.parse(text)).toBe(read);
  });

  it("may be the 29th of February in a leap year", () => {
    expect(utcTimestamp.safeParse("2028-02-29T00:00:00Z").success).toBe(true);
  });
});
