import { geoFilesOf } from "../geo/geo-files.ts";
import { networkFilesOf } from "../geo/network-files.ts";
import { UnusableLocationData } from "../geo/open-geo.ts";
import { readProgramVersion } from "../program-version.ts";
import { CatalogueRefusal } from "../store/catalogue/catalogue-refusal.ts";
import { tokenSecretFileOf } from "../token-secrets.ts";
import { activityNoun } from "./activity.ts";
import { advertiserNoun } from "./advertiser.ts";
import { allowlistNoun } from "./allowlist.ts";
import { auditNoun } from "./audit.ts";
import { backupNoun } from "./backup.ts";
import { clicksNoun } from "./clicks.ts";
import {
  type AloneContext,
  type Command,
  type ExitCode,
  type Noun,
  type Outcome,
  UsageError,
} from "./command.ts";
import { currencyNoun } from "./currency.ts";
import { eraseNoun } from "./erase.ts";
import { explainNoun } from "./explain.ts";
import { geoNoun } from "./geo.ts";
import { commandHelp, nounHelp, programHelp } from "./help.ts";
import { keyNoun } from "./key.ts";
import { moveNoun } from "./move.ts";
import { didYouMean } from "./nearest.ts";
import { networksNoun } from "./networks.ts";
import { offerNoun } from "./offer.ts";
import { type CatalogueSource, CatalogueUnavailable, usableConfig, withCatalogue } from "./open-catalogue.ts";
import { partnerNoun } from "./partner.ts";
import { publisherNoun } from "./publisher.ts";
import { readOptions } from "./read-options.ts";
import { recountNoun } from "./recount.ts";
import { reportNoun } from "./report.ts";
import { secretNoun } from "./secret.ts";
import { setupNoun } from "./setup.ts";
import { simulateNoun } from "./simulate.ts";
import { statementNoun } from "./statement.ts";
import { userNoun } from "./user.ts";
import { websiteNoun } from "./website.ts";

/** Everything that an operator can work on. */
export const nouns: readonly Noun[] = [
  setupNoun,
  publisherNoun,
  websiteNoun,
  allowlistNoun,
  advertiserNoun,
  offerNoun,
  currencyNoun,
  keyNoun,
  secretNoun,
  userNoun,
  reportNoun,
  statementNoun,
  clicksNoun,
  recountNoun,
  auditNoun,
  backupNoun,
  moveNoun,
  geoNoun,
  networksNoun,
  simulateNoun,
  explainNoun,
  eraseNoun,
  activityNoun,
  partnerNoun,
];

/** What the command line needs of the process it runs in. */
export type AdminPorts = CatalogueSource & {
  /** To the output stream: the answer. */
  print: (text: string) => void;
  /** Whether anybody still reads the output stream. */
  isHeard: () => boolean;
};

/**
 * Runs one command line, noun first, and returns its exit code. Nothing is changed where that is 2, nor where it is 3 unless
 * the command says so.
 */
export async function runAdmin(args: readonly string[], ports: AdminPorts): Promise<ExitCode> {
  try {
    const found = findCommand(args);
    if (found.kind === "help") {
      ports.print(found.text);
      return 0;
    }
    return await runCommand(found, ports);
  } catch (error) {
    if (error instanceof UsageError) return complain(ports, error.lines, 2);
    if (error instanceof CatalogueUnavailable || error instanceof UnusableLocationData)
      return complain(ports, [error.message], 3);
    return complain(ports, [error instanceof Error ? (error.stack ?? error.message) : String(error)], 4);
  }
}

type FoundCommand = { kind: "command"; noun: Noun; command: Command; rest: readonly string[] };

/** The command that the first words name, or the help that they ask for. */
const findCommand = (args: readonly string[]): FoundCommand | { kind: "help"; text: string } => {
  const [first, second, ...rest] = args;
  // Of one thing: as if it was asked for behind it.
  if (isHelp(first) && second !== undefined && !isHelp(second))
    return findCommand([second, ...rest, "--help"]);
  if (isHelp(first)) return { kind: "help", text: programHelp(nouns) };
  if (first === "--version") return { kind: "help", text: `${readProgramVersion()}\n` };
  const names = nouns.map(({ name }) => name);
  if (first === undefined) throw new UsageError([`name what to work on: ${names.join(", ")}`, seeHelp("")]);
  const noun = nouns.find(({ name }) => name === first);
  if (!noun) {
    const known = `there are ${names.join(", ")}`;
    throw new UsageError([
      `unknown noun ${JSON.stringify(first)}${didYouMean(first, names)}`,
      known,
      seeHelp(""),
    ]);
  }
  const alone = noun.commands.find(({ verb }) => verb === "");
  if (alone) return { kind: "command", noun, command: alone, rest: args.slice(1) };
  if (isHelp(second)) return { kind: "help", text: nounHelp(noun) };
  const verbs = noun.commands.map(({ verb }) => verb);
  const command = noun.commands.find(({ verb }) => verb === second);
  if (command) return { kind: "command", noun, command, rest };
  const slip =
    second === undefined || second.startsWith("-")
      ? `say what to do with ${noun.name}: ${verbs.join(", ")}`
      : `${noun.name} cannot ${JSON.stringify(second)}, only ${verbs.join(", ")}${didYouMean(second, verbs)}`;
  throw new UsageError([slip, seeHelp(noun.name)]);
};

const runCommand = async (found: FoundCommand, ports: AdminPorts): Promise<ExitCode> => {
  const { noun, command } = found;
  try {
    const { given, json, help } = readOptions(command, found.rest);
    if (help) {
      ports.print(commandHelp(noun, command));
      return 0;
    }
    if ("runAlone" in command) {
      const outcome = await command.runAlone(given, aloneContext(ports));
      tellNotes(outcome, ports);
      ports.print(`${json ? JSON.stringify(outcome.answer, digitsOfBigints, 2) : outcome.text}\n`);
      return outcome.differs ? 1 : 0;
    }
    return await withCatalogue(ports, command, async (context) => {
      const outcome = await command.run(given, context);
      tellNotes(outcome, ports);
      const print = outcome.refused && !json ? ports.complain : ports.print;
      print(`${json ? JSON.stringify(outcome.answer, digitsOfBigints, 2) : outcome.text}\n`);
      if (json || outcome.afterwards === undefined) return outcome.refused ? 2 : outcome.differs ? 1 : 0;
      const { text, differs } = await outcome.afterwards((line) => ports.print(`${line}\n`), ports.isHeard);
      ports.print(`${text}\n`);
      return differs ? 1 : 0;
    });
  } catch (error) {
    const hint = seeHelp(`${noun.name} ${command.verb}`.trimEnd());
    if (error instanceof UsageError) throw new UsageError([...error.lines, hint]);
    if (error instanceof CatalogueRefusal) throw new UsageError([...inOptions(error, command), hint]);
    throw error;
  }
};

/** With `--json` as without (decisions.md#notes-beside-json). */
const tellNotes = ({ notes = [] }: Outcome, { complain: tell }: AdminPorts): void => {
  for (const note of notes) tell(`note: ${note}\n`);
};

const aloneContext = (ports: AdminPorts): AloneContext => {
  const config = usableConfig(ports);
  return {
    database: config.database,
    tokenSecretFile: config.tokenSecret === null ? tokenSecretFileOf(config) : null,
    geoFiles: geoFilesOf(config),
    networkFiles: networkFilesOf(config),
    now: ports.now(),
    clock: ports.now,
    say: (text) => ports.complain(`${text}\n`),
  };
};

/** The refusal in the words of the command line: an option for each member. */
const inOptions = (refusal: CatalogueRefusal, command: Command): string[] =>
  refusal.problems.map(({ field, message }) => {
    const option = command.options.find((one) => one.field === field || one.refusedAs === field);
    return `${option ? `--${option.name}` : field}: ${message}`;
  });

/** A sum beyond 2^53 as a text: few readers of JSON keep its digits as a number. */
const digitsOfBigints = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? String(value) : value;

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h" || word === "help";

const seeHelp = (name: string): string => `see: npm run --silent admin --${name ? ` ${name}` : ""} --help`;

const complain = (ports: AdminPorts, lines: readonly string[], code: ExitCode): ExitCode => {
  ports.complain(`${lines.join("\n")}\n`);
  return code;
};
