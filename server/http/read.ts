import type { ErrorCode, ParameterError } from "@offers/contract/problem";
import type { Request } from "express";
import type { z } from "zod";
import { Problem } from "./problem.ts";

/**
 * Reads the query by a schema. A blank value counts as absent, a name that the schema lacks is not looked at.
 * @param repeatable the names that may be given several times; the schema gets each as a list.
 */
export function readQuery<S extends z.ZodObject>(
  schema: S,
  req: Request,
  repeatable: readonly (keyof S["shape"])[] = [],
): z.infer<S> {
  // Express parses the query anew at each access.
  const query: Record<string, unknown> = req.query;
  const given: Record<string, unknown> = {};
  const repeated: ParameterError[] = [];
  for (const name of Object.keys(schema.shape)) {
    const value = query[name];
    if (repeatable.includes(name)) {
      const values = (Array.isArray(value) ? value : [value]).filter(isFilled);
      if (values.length > 0) given[name] = values;
    } else if (Array.isArray(value)) repeated.push({ parameter: name, message: "must be given once" });
    else if (isFilled(value)) given[name] = value;
  }
  if (repeated.length > 0) {
    throw new Problem("repeated_parameter", explain(repeated), { errors: repeated });
  }
  return parse(schema, given);
}

/** Reads what `parseJsonBody` left by a schema. Members that the schema lacks are dropped. */
export function readBody<S extends z.ZodObject>(schema: S, req: Request): z.infer<S> {
  return parse(schema, req.body);
}

const isFilled = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

const parse = <S extends z.ZodObject>(schema: S, given: unknown): z.infer<S> => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({
    // Without the place in a list: a parameter has none.
    parameter: issue.path.filter((step) => typeof step === "string").join("."),
    message: isMissing(given, issue.path) ? "is required" : issue.message,
    missing: isMissing(given, issue.path),
  }));
  const code = codeOf(errors);
  const listed = errors.map(({ parameter, message }) => ({ parameter, message }));
  throw new Problem(code, explain(listed), { errors: listed });
};

/** A requestId that cannot be one is answered as one that is forged. */
const codeOf = (errors: readonly (ParameterError & { missing: boolean })[]): ErrorCode => {
  if (errors.some(({ missing }) => missing)) return "missing_parameter";
  return errors.every(({ parameter }) => parameter === "requestId")
    ? "invalid_request_id"
    : "invalid_parameter";
};

const isMissing = (given: unknown, path: readonly PropertyKey[]): boolean => {
  let value: unknown = given;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return false;
    value = Object.hasOwn(value, name) ? (value as Record<PropertyKey, unknown>)[name] : undefined;
  }
  return value === undefined || (typeof value === "string" && value.trim() === "");
};

const explain = (errors: readonly ParameterError[]): string =>
  `${errors.map(({ parameter, message }) => `${parameter} ${message}`).join("; ")}.`;
