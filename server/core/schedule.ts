import { type WeekDay, weekDays } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import { dayNumber, startOfDay } from "./utc-day.ts";
import { createZoneHours, quarterMs } from "./zone-hours.ts";

type Scheduled = Pick<Offer, "startsAt" | "endsAt" | "days" | "hours" | "timeZone">;

/** When offers run. */
export type Schedules = {
  /** Whether an offer runs at a moment (milliseconds since the epoch). */
  runs(offer: Scheduled, at: number): boolean;
  /**
   * For how long an offer runs between two moments of one UTC day (milliseconds since the epoch), in milliseconds.
   */
  runningTime(offer: Scheduled, from: number, to: number): number;
};

/** Whether anything but its status says when an offer runs. */
function hasSchedule({ startsAt, endsAt, days, hours }: Scheduled): boolean {
  return startsAt !== null || endsAt !== null || days.length > 0 || hours.length > 0;
}

/** Schedules that are made ready once for each offer. */
export function createSchedules(): Schedules {
  const zones = createZoneHours();
  const known = new WeakMap<Scheduled, Ready>();
  const readyOf = (offer: Scheduled): Ready => {
    const before = known.get(offer);
    if (before !== undefined) return before;
    const { startsAt, endsAt, timeZone } = offer;
    const ready = {
      from: startsAt === null ? Number.NEGATIVE_INFINITY : zones.moment(timeZone, atTime(startsAt)),
      to: endsAt === null ? Number.POSITIVE_INFINITY : zones.moment(timeZone, endOf(endsAt)),
      isOpen: openHours(offer),
    };
    known.set(offer, ready);
    return ready;
  };
  const isOpenIn = (offer: Scheduled, { isOpen }: Ready, at: number): boolean => {
    if (isOpen === null) return true;
    const day = dayNumber(at);
    const hour = zones.weekHours(offer.timeZone, day)[Math.floor((at - startOfDay(day)) / quarterMs)];
    return isOpen[hour ?? 0] === 1;
  };
  return {
    runs: (offer, at) => {
      if (!hasSchedule(offer)) return true;
      const ready = readyOf(offer);
      return at >= ready.from && at < ready.to && isOpenIn(offer, ready, at);
    },
    runningTime: (offer, from, to) => {
      if (!hasSchedule(offer)) return Math.max(0, to - from);
      const ready = readyOf(offer);
      const [first, last] = [Math.max(from, ready.from), Math.min(to, ready.to)];
      if (ready.isOpen === null) return Math.max(0, last - first);
      let time = 0;
      for (let at = first; at < last; ) {
        const next = Math.min(last, (Math.floor(at / quarterMs) + 1) * quarterMs);
        if (isOpenIn(offer, ready, at)) time += next - at;
        at = next;
      }
      return time;
    },
  };
}

/** From (included) and to (not included) in milliseconds since the epoch; the open hours of the week, or null: all. */
type Ready = { from: number; to: number; isOpen: Uint8Array | null };

/** A date alone begins with its day, and ends with it. */
const atTime = (local: string): string => (local.includes("T") ? local : `${local}T00:00`);
const endOf = (local: string): string =>
  local.includes("T")
    ? local
    : atTime(new Date(Date.parse(local) + 96 * quarterMs).toISOString().slice(0, 10));

const openHours = ({ days, hours }: Scheduled): Uint8Array | null => {
  if (days.length === 0 && hours.length === 0) return null;
  const isDay = (day: WeekDay | undefined): boolean =>
    days.length === 0 || (day !== undefined && days.includes(day));
  const ranges = hours.map((range) => range.split("-").map(Number));
  const isHour = (hour: number): boolean =>
    ranges.length === 0 || ranges.some(([from = 0, to = 0]) => hour >= from && hour < to);
  return Uint8Array.from({ length: 168 }, (_, at) =>
    isDay(weekDays[Math.floor(at / 24)]) && isHour(at % 24) ? 1 : 0,
  );
};
