import type { Command, Noun, Option } from "./command.ts";
import { type Definition, definitions, wrapped } from "./table.ts";

const program = "npm run --silent admin --";

/** The help of the whole command line. */
export function programHelp(nouns: readonly Noun[]): string {
  return sections([
    `Usage: ${program} <noun> <verb> [options]`,
    "Sets up publishers, websites, advertisers, offers and keys, while the service runs or not.",
    titled("Commands", definitions(nouns.flatMap(commandRows))),
    titled("Everywhere", definitions(everywhere)),
    titled("Alone", definitions([["--version", "print the release that this is"]])),
    titled("Environment, as the service has it", definitions(environment)),
    titled("Exit codes", definitions(exitCodes)),
  ]);
}

/** The help of one noun: its verbs. */
export function nounHelp(noun: Noun): string {
  return sections([
    `Usage: ${program} ${noun.name} <verb> [options]`,
    noun.summary,
    titled("Verbs", definitions(commandRows(noun))),
    titled("Everywhere", definitions(everywhere)),
    titled(
      "Examples",
      noun.commands
        .flatMap(({ examples }) => examples)
        .map(typed)
        .join("\n"),
    ),
  ]);
}

/** The help of one verb: every option, with what it means and what it takes. */
export function commandHelp(noun: Noun, command: Command): string {
  const required = command.options.filter((option) => option.required);
  const optional = command.options.filter((option) => !option.required);
  const usage = [
    `Usage: ${program} ${nameOf(noun, command)}`,
    ...required.map(signature),
    ...(optional.length > 0 ? ["[options]"] : []),
  ];
  return sections([
    wrapped(usage, { width: 98, hang: "    " }),
    command.summary,
    ...(required.length > 0 ? [titled("Required", definitions(required.map(optionRow)))] : []),
    titled("Options", definitions([...optional.map(optionRow), ...everywhere])),
    ...(command.options.some(({ kind }) => kind === "micros")
      ? ["Amounts are whole millionths of the currency: 450000 is 0.45."]
      : []),
    titled("Examples", command.examples.map(typed).join("\n")),
  ]);
}

const everywhere: readonly Definition[] = [
  ["--json", "print the answer as JSON: one object, or an array for list; notes stay on the error stream"],
  ["--help, -h", "print this"],
];

const environment: readonly Definition[] = [
  ["DATA_DIR", "the directory of the data"],
  ["DATABASE_URL", "the PostgreSQL that has the database; without it, it is a file in DATA_DIR"],
  ["BASE_URL", "where visitors reach the service: printed in tags and links"],
];

const exitCodes: readonly Definition[] = [
  ["0", "done"],
  [
    "1",
    "recount, audit, statement or move found a difference, website check what is wrong, or setup saw no page",
  ],
  ["2", "the command line or a value in it is wrong; nothing was changed"],
  [
    "3",
    "the data, or the location data of the service, cannot be opened, is locked by another program, or its disk is full; nothing was changed, unless it says so",
  ],
  ["4", "the program itself failed, or its answer cannot be written"],
];

const sections = (parts: readonly string[]): string => `${parts.join("\n\n")}\n`;
const titled = (title: string, body: string): string => `${title}\n${body.replaceAll(/^/gm, "  ")}`;

/** Broken before options, as a shell takes it. */
const typed = (example: string): string =>
  wrapped(`${program} ${example}`.split(/ (?=--[a-z])/), { width: 96, hang: "    ", end: " \\" });

const nameOf = (noun: Noun, command: Command): string => `${noun.name} ${command.verb}`.trimEnd();

const commandRows = (noun: Noun): Definition[] =>
  noun.commands.map((command) => [nameOf(noun, command), command.summary]);

const signature = (option: Option): string =>
  option.kind === "flag" ? `--${option.name}` : `--${option.name} ${hintOf(option)}`;

const hintOf = (option: Option): string =>
  option.hint ?? option.choices?.join("|") ?? (option.kind === "micros" ? "MICROS" : "N");

const optionRow = (option: Option): Definition => [
  option.negative ? `${signature(option)}, --${option.negative}` : signature(option),
  option.help +
    (option.kind === "list" ? "; several with commas, \\, for a comma within one" : "") +
    (option.repeatable ? "; may be repeated" : "") +
    (option.clearable ? "; none takes it out" : ""),
];
