import { z } from "zod";

/** Control characters, the two line separators outside them, and surrogates without their other half. */
const unwritable = /[\p{Cc}\p{Surrogate}\u2028\u2029]/u;

/** Whether it stands on one line as it is: well-formed Unicode, without control characters. */
export function isPlain(text: string): boolean {
  return !unwritable.test(text);
}

/**
 * One line of text: well-formed Unicode (no lone surrogate), no control character, at most `max` UTF-16 units. Blanks at
 * its ends are taken off, as they are of a cell of a file.
 */
export function line(max: number) {
  return z
    .string()
    .refine(isPlain, "must be plain text on one line")
    .trim()
    .max(max, `must be at most ${max} characters`);
}

/** A line that holds more than white space. */
export function filledLine(max: number) {
  return line(max).refine((text) => text !== "", "must not be empty");
}

/** A month, `YYYY-MM`. */
export const monthName = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-11");
