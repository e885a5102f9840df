import { type ParsedUrlQuery, parse as parseQueryText } from "node:querystring";
import type { ErrorCode, ParameterError } from "@offers/contract/problem";
import type { z } from "zod";
import type { Call } from "./call.ts";
import { parameterProblem } from "./problem.ts";

/** What a route asks for, by a schema of the contract. It throws a Problem that names each wrong parameter. */
export type Reader<T> = { from: "query" | "body"; read: (given: Record<string, unknown>) => T };

/** The parameters of a call's query. */
export function parseQuery({ query }: Pick<Call, "query">): ParsedUrlQuery {
  return parseQueryText(query);
}

/**
 * Reads the query. A blank value counts as absent, a name that the schema lacks is not looked at.
 * @param repeatable the names that may be given several times; the schema gets each as a list.
 */
export function fromQuery<S extends z.ZodObject>(
  schema: S,
  repeatable: readonly (keyof S["shape"])[] = [],
): Reader<z.infer<S>> {
  const names = Object.keys(schema.shape);
  const read = (query: Record<string, unknown>) => {
    const given: Record<string, unknown> = {};
    const repeated: ParameterError[] = [];
    for (const name of names) {
      const value = query[name];
      if (repeatable.includes(name)) {
        const values = (Array.isArray(value) ? value : [value]).filter(isFilled);
        if (values.length > 0) given[name] = values;
      } else if (Array.isArray(value)) repeated.push({ parameter: name, message: "must be given once" });
      else if (isFilled(value)) given[name] = value;
    }
    if (repeated.length > 0) throw parameterProblem("repeated_parameter", ...repeated);
    return parse(schema, given);
  };
  return { from: "query", read };
}

/** Reads the JSON object of a body. Members that the schema lacks are dropped. */
export function fromBody<S extends z.ZodObject>(schema: S): Reader<z.infer<S>> {
  return { from: "body", read: (given) => parse(schema, given) };
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
  throw parameterProblem(codeOf(errors), ...errors);
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
