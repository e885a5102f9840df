import { parseArgs } from "node:util";
import { type Command, type Given, type Option, UsageError } from "./command.ts";
import { didYouMean } from "./nearest.ts";
import { readOptionValue } from "./option-value.ts";

/** What was typed after noun and verb. */
export type ReadOptions = { given: Given; json: boolean; help: boolean };

/** Reads the options that `command` declares, `--json` and `--help`; throws a UsageError that names every slip. */
export function readOptions(command: Command, args: readonly string[]): ReadOptions {
  const slips: string[] = [];
  const values = new Map<Option, unknown>();
  const switches = new Set<string>();
  const named = new Set<Option>();
  const options = byName(command.options);
  const bare = command.options.find(({ positional }) => positional);
  let follows: "nothing" | "unknown option" = "nothing";
  for (const token of tokensOf(args, command.options)) {
    const before = follows;
    follows = "nothing";
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      // What stands behind an unknown option is most likely its value, and no second slip.
      if (before === "unknown option") continue;
      if (bare !== undefined) {
        named.add(bare);
        values.set(bare, [values.get(bare) ?? [], token.value].flat());
        continue;
      }
      slips.push(`unexpected ${JSON.stringify(token.value)}: values follow an option, such as --name`);
    } else if (token.name === "json" || token.name === "help") {
      if (token.value !== undefined) slips.push(`${token.rawName} takes no value`);
      switches.add(token.name);
    } else {
      const option = token.rawName.startsWith("--") ? options.get(token.name) : undefined;
      if (option) named.add(option);
      else follows = "unknown option";
      slips.push(...(option ? takeOption(option, token, values) : [unknownOption(token.rawName, options)]));
    }
  }
  if (switches.has("help")) return { given: {}, json: false, help: true };
  for (const option of command.options) {
    if (option.required && !named.has(option)) slips.push(`--${option.name} is missing: ${option.help}`);
  }
  if (slips.length > 0) throw new UsageError(slips);
  return { given: nest(values), json: switches.has("json"), help: false };
}

type OptionToken = {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
};

/** Not strict: the parser's own refusals name neither the nearest option nor what its value should be. */
const tokensOf = (args: readonly string[], options: readonly Option[]) => {
  const flags = options.flatMap(({ kind, name, negative }) =>
    kind === "flag" ? [name, ...(negative ? [negative] : [])] : [],
  );
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries([
      ...options
        .filter(({ kind }) => kind !== "flag")
        .map(({ name }) => [name, { type: "string" as const, multiple: true }]),
      ...[...flags, "json", "help"].map((name) => [name, { type: "boolean" as const, multiple: true }]),
      ["help", { type: "boolean" as const, short: "h", multiple: true }],
    ]),
  });
  return tokens;
};

const byName = (options: readonly Option[]): ReadonlyMap<string, Option> =>
  new Map(
    options.flatMap((option) => [
      [option.name, option] as const,
      ...(option.negative ? [[option.negative, option] as const] : []),
    ]),
  );

const unknownOption = (rawName: string, options: ReadonlyMap<string, Option>): string =>
  `unknown option ${rawName}` +
  didYouMean(rawName.replace(/^-+/, ""), [...options.keys(), "json", "help"], (name) => `--${name}`);

/** Notes the option's value; returns what is wrong with it. */
const takeOption = (option: Option, token: OptionToken, values: Map<Option, unknown>): string[] => {
  const refuse = (message: string) => [`--${token.name}: ${message}`];
  const before = values.get(option);
  if (option.kind === "flag") {
    if (token.value !== undefined) return refuse("takes no value");
    if (before !== undefined) return refuse("is given twice, or together with its opposite");
    values.set(option, token.name === option.name);
    return [];
  }
  if (token.value === undefined) return refuse("needs a value");
  // A swallowed option is the likelier reading of a dash, unless it is written with = or could be a number.
  const isDash = option.mayBeDash === true && token.value === "-";
  if (!token.inlineValue && !isDash && /^-(?![0-9.])/.test(token.value)) {
    return refuse(`needs a value; one that begins with - is written --${token.name}=${token.value}`);
  }
  const read = readOptionValue(option, token.value);
  if (!read.ok) return refuse(read.message);
  const gathers = option.kind === "list" || option.repeatable === true;
  if (before !== undefined && !gathers) return refuse("is given twice");
  values.set(option, gathers ? [before ?? [], read.value].flat() : read.value);
  return [];
};

/** `settings.theme` becomes a member of a member. */
const nest = (values: ReadonlyMap<Option, unknown>): Given => {
  const given: Record<string, unknown> = {};
  for (const [option, value] of values) {
    const steps = option.field.split(".");
    const last = steps.pop() ?? option.field;
    let at = given;
    for (const step of steps) {
      const inner = (at[step] ?? {}) as Record<string, unknown>;
      at[step] = inner;
      at = inner;
    }
    at[last] = value;
  }
  return given;
};
