/** Of a UTC day, whatever clocks do in it. */
export const dayMs = 24 * 60 * 60 * 1000;

/** The UTC date of a moment, `YYYY-MM-DD`. `at`: milliseconds since the epoch, years 0 to 9999. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The UTC date before `day`; both are `YYYY-MM-DD`. */
export function dayBefore(day: string): string {
  return utcDay(Date.parse(day) - dayMs);
}

/** How many whole UTC days lie between the epoch and `at` (milliseconds since the epoch). */
export function dayNumber(at: number): number {
  return Math.floor(at / dayMs);
}

/** When a day number's day begins, in milliseconds since the epoch. */
export function startOfDay(day: number): number {
  return day * dayMs;
}

export const hourMs = 60 * 60 * 1000;
/** Of every UTC day: none is longer for a leap second. */
export const hoursInDay = 24;

/** How many whole hours lie between the epoch and `at` (milliseconds since the epoch). */
export function hourNumber(at: number): number {
  return Math.floor(at / hourMs);
}

/** The number of the UTC day in which the hour of that number lies. */
export function dayOfHour(hour: number): number {
  return Math.floor(hour / hoursInDay);
}

/** The UTC date of a day number, `YYYY-MM-DD`; the number may be negative. */
export function dateOfDay(day: number): string {
  return utcDay(day * dayMs);
}
