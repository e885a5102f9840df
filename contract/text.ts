import { z } from "zod";

/** Control characters, the two line separators outside them, and surrogates without their other half. */
const unwritable = /[\p{Cc}\p{Surrogate}\u2028\u2029]/u;

/** One line of text: well-formed Unicode (no lone surrogate), no control character, at most `max` UTF-16 units. */
export function line(max: number) {
  return z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine((text) => !unwritable.test(text), "must be plain text on one line");
}

/** A line that holds more than white space. */
export function filledLine(max: number) {
  return line(max).refine((text) => text.trim() !== "", "must not be empty");
}
