/** What a clock shows: a date, or a date with a time. Empty: no moment at all. */
export type LocalTime = { date: string; time: string };

/** A date, or `2026-12-01T09:00`, for a field of a date and one of a time; null: it is written otherwise. */
export function readLocalTime(text: string): LocalTime | null {
  if (text === "") return { date: "", time: "" };
  const [, date, time = ""] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?$/.exec(text) ?? [];
  return date === undefined ? null : { date, time };
}

/** The same as it is saved; a time without a date is none. */
export function localTimeText({ date, time }: LocalTime): string {
  return date === "" || time === "" ? date : `${date}T${time}`;
}
