import type { Whole } from "./api.ts";

/** The language of numbers and dates. The words of the pages are English. */
let language = "en-GB";
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** Chooses the language of numbers and dates; null is the usual one. */
export function formatIn(tag: string | null): void {
  made.clear();
  try {
    language = Intl.getCanonicalLocales(tag ?? "en-GB")[0] ?? "en-GB";
  } catch {
    language = "en-GB";
  }
}

/** A count in all its digits. */
export function formatCount(count: Whole): string {
  return numbers({}).format(count);
}

/** A count that has little room, such as `84k`. */
export function formatShort(count: number): string {
  return numbers({ notation: "compact", maximumSignificantDigits: 3 }).format(count);
}

/** What share `part` is of `whole`; a dash where there is no whole. */
export function formatShare(part: number, whole: number, digits = 2): string {
  if (whole === 0) return "–";
  return numbers({ style: "percent", maximumFractionDigits: digits, minimumFractionDigits: digits }).format(
    part / whole,
  );
}

/** A share that somebody has set, such as `12.5%`, in as few digits as tell it. */
export function formatPercent(share: number): string {
  return numbers({ style: "percent", maximumFractionDigits: 2 }).format(share);
}

/** By how much something grew, such as `+6.1%`; null where there was nothing before. */
export function formatGrowth(now: number, before: number): string | null {
  if (before === 0) return null;
  return withMinus(
    numbers({ style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" }).format(
      (now - before) / before,
    ),
  );
}

/** By how many points of percent a share changed, such as `−0.2 pt`. */
export function formatPoints(now: number, before: number): string {
  const points = numbers({ maximumFractionDigits: 1, signDisplay: "exceptZero" }).format(
    (now - before) * 100,
  );
  return `${withMinus(points)} pt`;
}

/** An amount in the digits that its currency usually has. Exact: no float is on the way. */
export function formatMoney(micros: Whole, currency: string): string {
  return numbers({ style: "currency", currency }).format(majorUnits(micros));
}

/** An amount with every digit that it has, and with at least so many decimals: those of a column stand below one another. */
export function formatExactMoney(micros: Whole, currency: string, decimals = 0): string {
  const { minimumFractionDigits: usual = 0 } = numbers({ style: "currency", currency }).resolvedOptions();
  return numbers({
    ...{ style: "currency", currency },
    ...{ minimumFractionDigits: Math.max(usual, decimals), maximumFractionDigits: Math.max(usual, 6) },
  }).format(majorUnits(micros));
}

/** How many decimals the one of these amounts needs that needs the most; micro-units have six. */
export function decimalsOf(amounts: readonly Whole[]): number {
  return amounts.reduce<number>(
    (most, micros) => Math.max(most, majorUnits(micros).replace(/0+$/, "").split(".")[1]?.length ?? 0),
    0,
  );
}

/** An amount of micro-units as a decimal number's text. */
export function majorUnits(micros: Whole): `${number}` {
  const whole = BigInt(micros);
  const size = whole < 0n ? -whole : whole;
  const text = `${whole < 0n ? "-" : ""}${size / 1_000_000n}.${String(size % 1_000_000n).padStart(6, "0")}`;
  return text as `${number}`;
}

/** A day, such as `24 Oct`. */
export function formatDay(day: string): string {
  return days({ day: "numeric", month: "short" }).format(Date.parse(day));
}

/** A month, `YYYY-MM`, such as `November 2026`. */
export function formatMonth(month: string): string {
  return days({ month: "long", year: "numeric" }).format(Date.parse(month));
}

/** A day with its weekday, such as `Thursday 12 November`. */
export function formatLongDay(day: string): string {
  return days({ weekday: "long", day: "numeric", month: "long" }).format(Date.parse(day));
}

/** A day in a row of a table, such as `Thu 12 Nov 2026`. */
export function formatTableDay(day: string): string {
  const text = days({ weekday: "short", day: "numeric", month: "short", year: "numeric" }).format(
    Date.parse(day),
  );
  // The comma after the weekday, and breaks within a date, only cost room in a column.
  return text.replace(",", "").replaceAll(" ", "\u00a0");
}

/** Two days, such as `24 Oct – 22 Nov 2026`. */
export function formatDays({ from, to }: { from: string; to: string }): string {
  return days({ day: "numeric", month: "short", year: "numeric" }).formatRange(
    Date.parse(from),
    Date.parse(to),
  );
}

/** A moment in the reader's own time zone, such as `22 Nov 2026, 14:02`. */
export function formatTime(moment: number): string {
  return dates({ dateStyle: "medium", timeStyle: "short" }).format(moment);
}

/** A moment in UTC to the second, as events are told apart, such as `22 Nov 2026, 14:02:11 UTC`. */
export function formatMoment(moment: string | number): string {
  return `${days({ dateStyle: "medium", timeStyle: "medium" }).format(new Date(moment))} UTC`;
}

/** The time of day in UTC to the millisecond, such as `14:02:11.204`. */
export function formatClock(iso: string): string {
  return new Date(iso).toISOString().slice(11, 23);
}

/** How long ago something was, in the largest unit that fits. */
export function formatAgo(moment: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - moment) / 1000));
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [1, "second"];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-Math.floor(seconds / size), unit);
}

/** When somebody was last seen in a session that they still have; null: in none. */
export function formatSeen(lastSeenAt: number | null, now: number): string {
  return lastSeenAt === null ? "not signed in now" : formatAgo(lastSeenAt, now);
}

/** Several things in a sentence, such as `a, b and c`: in English, as the pages' words are. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(items);
}

/** What a place is called that nobody could find out. */
export const unknownPlace = "Unknown place";

/** A place by its code, such as `France`; with its region's code where it has one. */
export function formatPlace(country: string, region?: string | null): string {
  const name = /^[A-Z]{2}$/.test(country) && country !== "ZZ" && country !== "XX" ? countryName(country) : "";
  if (!name) return unknownPlace;
  return region ? `${name} · ${region.slice(3)}` : name;
}

/** English formats write a hyphen, which is shorter than the plus beside it. */
const withMinus = (text: string): string => text.replace("-", "\u2212");

const units = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const satisfies readonly (readonly [number, Intl.RelativeTimeFormatUnit])[];

/** English, as the pages are. */
const countryNames = new Intl.DisplayNames(["en"], { type: "region" });

const countryName = (code: string): string => {
  try {
    return countryNames.of(code) ?? code;
  } catch {
    return code;
  }
};

/** Made once: a formatter costs a hundred times what it formats. */
const numbers = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const name = `number ${JSON.stringify(options)}`;
  const there = made.get(name);
  if (there instanceof Intl.NumberFormat) return there;
  const fresh = new Intl.NumberFormat(language, options);
  made.set(name, fresh);
  return fresh;
};

const dates = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const name = `date ${JSON.stringify(options)}`;
  const there = made.get(name);
  if (there instanceof Intl.DateTimeFormat) return there;
  const fresh = new Intl.DateTimeFormat(language, options);
  made.set(name, fresh);
  return fresh;
};

const days = (options: Intl.DateTimeFormatOptions) => dates({ ...options, timeZone: "UTC" });
