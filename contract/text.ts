import { z } from "zod";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** One line of text: well-formed Unicode (no lone surrogate), no control character, at most `max` UTF-16 units. */
export const line = (max: number) =>
  z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine((text) => text.isWellFormed() && !controlCharacter.test(text), "must be plain text on one line");

/** A line that holds more than white space. */
export const filledLine = (max: number) =>
  line(max).refine((text) => text.trim() !== "", "must not be empty");
