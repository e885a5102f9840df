import { inPlainWords } from "@offers/contract/plain-words";

/** One thing that is wrong with what somebody wants to save, and what to change. */
export type InputProblem = {
  /** Path of the member in the input, such as `geoRule.entries`; never with an array index. */
  field: string;
  message: string;
};

/** Thrown when the catalogue refuses a change. Nothing of the change has been written. */
export class CatalogueRefusal extends Error {
  override readonly name = "CatalogueRefusal";
  readonly problems: readonly InputProblem[];

  constructor(problems: readonly InputProblem[]) {
    super(problems.map(({ field, message }) => `${field}: ${message}`).join("; "));
    this.problems = problems;
  }
}

/** Throws a {@link CatalogueRefusal} when there is anything to complain about. */
export function refuseProblems(problems: readonly InputProblem[]): void {
  if (problems.length > 0) throw new CatalogueRefusal(problems);
}

type Issue = { path: readonly PropertyKey[]; message: string };

/** The part of a zod schema that is needed here. */
export type InputSchema<T> = {
  safeParse(
    raw: unknown,
    params: { error: typeof inPlainWords },
  ): { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } };
};

/** `raw` as the schema returns it; throws a {@link CatalogueRefusal} that names every member it refuses. */
export function parseInput<T>(schema: InputSchema<T>, raw: unknown): T {
  const parsed = schema.safeParse(raw, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  throw new CatalogueRefusal(
    parsed.error.issues.map(({ path, message }) => ({
      field: path.filter((step) => typeof step === "string").join("."),
      message: message + given(raw, path),
    })),
  );
}

/** The refused value in quotes: in a list of fifty countries the message alone would not say which. */
const given = (raw: unknown, path: readonly PropertyKey[]): string => {
  let value = raw;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return "";
    value = Reflect.get(value, step);
  }
  if (typeof value === "number") return ` (given: ${value})`;
  if (typeof value !== "string") return "";
  return ` (given: ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)})`;
};

/** Thrown when whoever changes something has no account any more that lets them in. */
export class SignedOut extends Error {
  override readonly name = "SignedOut";
}

/** Thrown when what a change is about does not exist, or is another publisher's, which is the same to a caller. */
export class UnknownSubject extends Error {
  override readonly name = "UnknownSubject";
}
