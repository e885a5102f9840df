import { type ParsedUrlQuery, parse as parseQueryText } from "node:querystring";
import { inPlainWords } from "@offers/contract/plain-words";
import type { ErrorCode, ParameterError } from "@offers/contract/problem";
import { z } from "zod";
import type { Call } from "./call.ts";
import { parameterProblem } from "./problem.ts";

/**
 * What a route asks for, by a schema of the contract, out of its query or, where it has a body, out of both. It throws
 * a Problem that names each wrong parameter.
 */
export type Reader<T> = { read: (given: Record<string, unknown>, query?: ParsedUrlQuery) => T };

/** The parameters of a call's query. */
export function parseQuery({ query }: Pick<Call, "query">): ParsedUrlQuery {
  return parseQueryText(query);
}

/**
 * Reads the query. A blank value counts as absent, a name that the schema lacks is not looked at.
 * @param more.repeatable the names that may be given several times; the schema gets each as a list.
 * @param more.refusesOthers whether a name that the schema lacks is refused: a filter with a slip in its name would
 *   otherwise answer with what it was to leave out.
 * @param more.mayBeBlank the names whose blank value counts as absent, where not all are: of any other the schema
 *   judges it as it is.
 */
export function fromQuery<S extends z.ZodObject>(
  schema: S,
  more: {
    repeatable?: readonly (keyof S["shape"])[];
    refusesOthers?: boolean;
    mayBeBlank?: readonly (keyof S["shape"])[];
  } = {},
): Reader<z.infer<S>> {
  const { repeatable = [], refusesOthers = false, mayBeBlank } = more;
  const names = Object.keys(schema.shape);
  const isGiven = (name: string, value: unknown): value is string =>
    mayBeBlank === undefined || mayBeBlank.includes(name) ? isFilled(value) : typeof value === "string";
  const read = (query: Record<string, unknown>) => {
    if (refusesOthers) refuseOthers(names, query);
    const given: Record<string, unknown> = {};
    const repeated: ParameterError[] = [];
    for (const name of names) {
      const value = query[name];
      if (repeatable.includes(name)) {
        const values = (Array.isArray(value) ? value : [value]).filter((one) => isGiven(name, one));
        if (values.length > 0) given[name] = values;
      } else if (Array.isArray(value)) repeated.push({ parameter: name, message: "must be given once" });
      else if (isGiven(name, value)) given[name] = value;
    }
    if (repeated.length > 0) throw parameterProblem("repeated_parameter", ...repeated);
    return parse(schema, given);
  };
  return { read };
}

/** A name as the contract writes them. Any other is not repeated to whoever sent it. */
const plainName = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

const refuseOthers = (names: readonly string[], query: Record<string, unknown>): void => {
  const others = Object.keys(query).filter((name) => !names.includes(name));
  if (others.length === 0) return;
  const told = new Set(others.map((name) => (plainName.test(name) ? name : "query")));
  const message = `is no parameter here: there are ${names.join(", ")}`;
  throw parameterProblem("invalid_parameter", ...[...told].map((parameter) => ({ parameter, message })));
};

/**
 * Reads the JSON object of a body. Members that the schema lacks are dropped.
 * @param slips what is written in place of something else, in small letters alone, and what to write. A member of such
 *   a name is refused, and so is one of the schema in another spelling, such as `request_id`: dropped, it would leave
 *   out what its caller believes to have said.
 */
export function fromBody<S extends z.ZodObject>(
  schema: S,
  slips?: Readonly<Record<string, string>>,
): Reader<z.infer<S>> {
  const names = Object.keys(schema.shape);
  const meant = new Map(
    slips && [...names.map((name) => [lettersOf(name), name] as const), ...Object.entries(slips)],
  );
  const read = (given: Record<string, unknown>) => {
    const wrong = Object.keys(given).flatMap((name): ParameterError[] => {
      const instead = names.includes(name) ? undefined : meant.get(lettersOf(name));
      if (instead === undefined) return [];
      return [
        { parameter: plainName.test(name) ? name : "body", message: `is no member here: it is ${instead}` },
      ];
    });
    if (wrong.length > 0) throw parameterProblem("invalid_parameter", ...wrong);
    return parse(schema, given);
  };
  return { read };
}

/** A name without what its spelling varies in. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, "");

/**
 * Reads the JSON object of a body of which some members may stand in the query instead. One that stands in both must be
 * the same in both.
 * @param inQuery those members by their names in the query.
 */
export function fromBodyOrQuery<S extends z.ZodObject>(
  schema: S,
  inQuery: Readonly<Record<string, keyof S["shape"] & string>>,
): Reader<z.infer<S>> {
  const members = Object.entries(inQuery);
  const read = (body: Record<string, unknown>, query: ParsedUrlQuery = {}) => {
    const given = { ...body };
    for (const [name, member] of members) {
      const value = query[name];
      if (Array.isArray(value)) {
        throw parameterProblem("repeated_parameter", { parameter: name, message: "must be given once" });
      }
      if (!isFilled(value)) continue;
      const inBody = given[member];
      if (inBody !== undefined && inBody !== value) {
        throw parameterProblem("invalid_parameter", {
          parameter: name,
          message: `must be the same in the query and, as ${member}, in the body`,
        });
      }
      given[member] = value;
    }
    return parse(schema, given);
  };
  return { read };
}

const isFilled = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

const parse = <S extends z.ZodObject>(schema: S, given: unknown): z.infer<S> => {
  const parsed = schema.safeParse(given, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => {
    const missing = isMissing(schema, given, issue.path);
    return {
      // Without the place in a list: a parameter has none.
      parameter: issue.path.filter((step) => typeof step === "string").join("."),
      message: missing ? "is required" : issue.message,
      missing,
    };
  });
  throw parameterProblem(codeOf(errors), ...errors);
};

/** A requestId that cannot be one is answered as one that is forged. */
const codeOf = (errors: readonly (ParameterError & { missing: boolean })[]): ErrorCode => {
  if (errors.some(({ missing }) => missing)) return "missing_parameter";
  return errors.every(({ parameter }) => parameter === "requestId")
    ? "invalid_request_id"
    : "invalid_parameter";
};

/** A blank one counts as missing, but where it may be left out: there it is wrong, and the schema says how. */
const isMissing = (schema: z.ZodObject, given: unknown, path: readonly PropertyKey[]): boolean => {
  let value: unknown = given;
  for (const name of path) {
    // What a list holds is there: the place is the parsed list's, which may be longer than the given one.
    if (typeof name === "number") return false;
    if (typeof value !== "object" || value === null) return false;
    value = Object.hasOwn(value, name) ? (value as Record<PropertyKey, unknown>)[name] : undefined;
  }
  if (value === undefined) return true;
  return typeof value === "string" && value.trim() === "" && !mayBeLeftOut(schema, path);
};

const mayBeLeftOut = ({ shape }: z.ZodObject, [name, ...deeper]: readonly PropertyKey[]): boolean => {
  const member = shape[String(name)];
  return deeper.length === 0 && member !== undefined && z.safeParse(member, undefined).success;
};
