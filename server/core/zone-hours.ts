import { dayNumber, startOfDay } from "./utc-day.ts";

/** Every zone's clock in use today differs from UTC by whole quarters of an hour, and changes at one. */
export const quarterMs = 900_000;
const quartersOfDay = 96;

/** What clocks show in time zones by their IANA names. */
export type ZoneHours = {
  /**
   * The hour of the week that clocks show in each quarter of an hour of a UTC day: 0 is Monday from 0:00, 167 Sunday from 23:00.
   * `day`: a UTC day number.
   */
  weekHours(zone: string, day: number): Uint8Array;
  /**
   * When clocks show a date and time (`2026-12-01T09:00`), in milliseconds since the epoch. Of two such moments in autumn it
   * is the first; what clocks leave out in spring is as much later as they are put forward.
   */
  moment(zone: string, local: string): number;
};

/** Remembers each zone's last day, so that a time zone's rules are looked up once a day and not for a visitor. */
export function createZoneHours(): ZoneHours {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const days = new Map<string, { day: number; hours: Uint8Array }>();
  const formatOf = (zone: string): Intl.DateTimeFormat => {
    const known = formats.get(zone) ?? new Intl.DateTimeFormat("en-US", { ...numbers, timeZone: zone });
    formats.set(zone, known);
    return known;
  };
  const offsetAt = (zone: string, at: number): number => localTime(formatOf(zone), at) - at;
  return {
    weekHours: (zone, day) => {
      const known = days.get(zone);
      if (known?.day === day) return known.hours;
      const hours = Uint8Array.from({ length: quartersOfDay }, (_, quarter) => {
        const at = startOfDay(day) + quarter * quarterMs;
        return weekHourOf(at + offsetAt(zone, at));
      });
      days.set(zone, { day, hours });
      return hours;
    },
    moment: (zone, local) => {
      const shown = Date.parse(`${local}Z`);
      const [before, after] = [offsetAt(zone, shown - aDay), offsetAt(zone, shown + aDay)];
      const found = [before, after]
        .map((offset) => shown - offset)
        .filter((at) => at + offsetAt(zone, at) === shown);
      return found.length === 0 ? shown - before : Math.min(...found);
    },
  };
}

const aDay = quartersOfDay * quarterMs;

const numbers: Intl.DateTimeFormatOptions = {
  ...{ hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
  ...{ hour: "numeric", minute: "numeric", second: "numeric" },
};

/** What the clock shows at a moment, as if it were UTC. */
const localTime = (format: Intl.DateTimeFormat, at: number): number => {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
};

/** The epoch was a Thursday. */
const weekHourOf = (local: number): number =>
  ((dayNumber(local) + 3) % 7) * 24 + Math.floor((local - startOfDay(dayNumber(local))) / (4 * quarterMs));
