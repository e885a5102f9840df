import type { Refused } from "./api.ts";
import { formatList } from "./format.ts";

/** What a page calls the members of what it saves, as its fields' labels do; one within another by its path, `supportContact.url`. */
export type FieldNames = Readonly<Record<string, string>>;

/**
 * Which fields a refusal is about, in the page's words; undefined where it is about none, or about one that the page has no word
 * for.
 */
export function wrongFieldsText(parameters: readonly string[], names: FieldNames): string | undefined {
  const found = parameters.map((parameter) => nameOf(parameter, names));
  const known = found.filter((name) => name !== undefined);
  if (known.length === 0 || known.length < found.length) return undefined;
  const quoted = [...new Set(known)].map((name) => `“${name}”`);
  return `Not saved. Look at ${formatList(quoted)}.`;
}

/** The same of a refusal; of one that is about no field that the page knows, its own sentence. */
export function refusalText(refused: Refused, names: FieldNames): string {
  const parameters = refused.errors.map(({ parameter }) => parameter);
  return wrongFieldsText(parameters, names) ?? refused.message;
}

/** Of `settings.origins.0` that of `origins`: the part that has a name, the outermost and the most exact of them. */
const nameOf = (parameter: string, names: FieldNames): string | undefined => {
  const steps = parameter.split(/[.[\]]+/).filter((step) => step !== "");
  for (let first = 0; first < steps.length; first += 1) {
    for (let end = steps.length; end > first; end -= 1) {
      const name = names[steps.slice(first, end).join(".")];
      if (name !== undefined) return name;
    }
  }
  return undefined;
};
