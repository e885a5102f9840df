import type { z } from "zod";

/**
 * What is wrong with a value whose schema has no words of its own for it, said by what it must be, as the schemas' own
 * words do. For a schema's `error` when something is parsed; undefined leaves the library its words.
 */
export function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : kinds[issue.expected];
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `must ${bound(issue.origin, Number(issue.minimum), "least")}`;
    case "too_big":
      return `must ${bound(issue.origin, Number(issue.maximum), "most")}`;
    case "invalid_format":
      return formats[issue.format];
    case "unrecognized_keys":
      return `must not have ${issue.keys.join(", ")}`;
    default:
      return undefined;
  }
}

/** By the library's name of what it expected. */
const kinds: Partial<Record<string, string>> = {
  string: "must be a text",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
};

const formats: Partial<Record<string, string>> = {
  email: "must be an e-mail address",
  url: "must be a web address",
};

const bound = (origin: string, limit: number, side: "least" | "most"): string => {
  const things = origin === "string" ? "character" : origin === "array" ? "entry" : null;
  if (things === null) return `be at ${side} ${limit}`;
  return `have at ${side} ${limit} ${limit === 1 ? things : things === "entry" ? "entries" : `${things}s`}`;
};
