import type { TokenKeys } from "../core/token-keys.ts";
import type { GeoFiles } from "../geo/geo-files.ts";
import type { NetworkFiles } from "../geo/network-files.ts";
import type { OpenCatalogue } from "../store/catalogue/catalogue-handle.ts";
import type { SavingRules } from "../store/catalogue/saving-rules.ts";
import type { DatabaseAddress } from "../store/database-address.ts";

/** How the text after an option is read. A `flag` has none. */
export type OptionKind = "text" | "list" | "micros" | "count" | "choice" | "flag";

/** One option as data: parsing, help and the wording of refusals all come from it. */
export type Option = {
  /** Without the leading dashes. */
  name: string;
  kind: OptionKind;
  /** Path of the member it fills, such as `settings.theme`; refusals of the catalogue come back under it. */
  field: string;
  /** Path under which the catalogue refuses what was made of it, where that is another. */
  refusedAs?: string;
  help: string;
  /** Stands for the value in the help. */
  hint?: string;
  required?: true;
  /** Of a text: may be given several times. */
  repeatable?: true;
  /** Of a repeatable text: takes the bare words as well, those that follow no option. */
  positional?: true;
  /** Takes `none`, which takes the value out. */
  clearable?: true;
  /** Of a text: `""` is a value, too. What names something is never empty: a script's variable was not set then. */
  mayBeEmpty?: true;
  /** Of a text: `-` is a value, too, and means the standard output. */
  mayBeDash?: true;
  /** Of micros: a minus may stand before them. */
  mayBeNegative?: true;
  /** Of a count: what it may be, both included. */
  least?: number;
  most?: number;
  /** Of a choice. */
  choices?: readonly string[];
  /** Of a flag: the name that switches it off. */
  negative?: string;
};

/** The given options as one nested object, for the schema to judge. */
export type Given = Readonly<Record<string, unknown>>;

/** What a command works with. */
export type CommandContext = {
  catalogue: OpenCatalogue;
  rules: SavingRules;
  geoFiles: GeoFiles;
  /** What the service seals its requestIds with; null: its secret is not at hand here. */
  tokenKeys: () => TokenKeys | null;
  /** Milliseconds since the epoch at which the command began. */
  now: number;
  /** The same at any moment, for a command that waits. */
  clock: () => number;
  pause: (milliseconds: number) => Promise<void>;
  /** Tells on the error stream what is worth knowing whatever becomes of the command. */
  say: (text: string) => void;
  /** The service that works on the same data, as far as the configuration tells. */
  service: {
    /** Where visitors reach it; where that is not set, where it listens. */
    baseUrl: string;
    isBaseUrlSet: boolean;
    /** Where it listens on this machine. */
    listensAt: string;
    isAnswering: () => Promise<boolean>;
  };
};

export type Outcome = {
  /** What `--json` prints: one object, or an array for a list. */
  answer: object;
  /** What is printed without `--json`. */
  text: string;
  /** Worth knowing, but no part of the answer: goes to the error stream, with `--json` too. */
  notes?: readonly string[];
  /** Whether something is not as it should be: exit code 1. */
  differs?: boolean;
  /** Whether the input is refused, for the reasons that answer and text list: exit code 2. */
  refused?: boolean;
  /**
   * What the command goes on to do once its answer is printed; never with `--json`, whose reader waits for the end.
   * `say` prints a line at once; `isHeard` tells whether anybody still reads the output.
   */
  afterwards?: (
    say: (text: string) => void,
    isHeard: () => boolean,
  ) => Promise<Pick<Outcome, "text" | "differs">>;
};

export type Command = {
  /** `""`: the noun alone is the command. */
  verb: string;
  summary: string;
  options: readonly Option[];
  /** As typed after `admin -- `. */
  examples: readonly string[];
  /** Whether an installation may begin with it: where there is no database, it makes one, and any other command refuses. */
  mayBegin?: true;
  /** What holds when the storage fails in the middle of it. Left out: nothing was changed, since all is one transaction. */
  afterTrouble?: string;
} & (
  | { run(given: Given, context: CommandContext): Promise<Outcome> }
  /** Of a command that needs no catalogue, or opens the database by itself, for nobody else may have it open. */
  | { runAlone(given: Given, context: AloneContext): Promise<Outcome> }
);

/** What a command works with that opens no catalogue. */
export type AloneContext = {
  database: DatabaseAddress;
  /** Where the secret lies that requestIds are sealed with; null: it is set. */
  tokenSecretFile: string | null;
  geoFiles: GeoFiles;
  networkFiles: NetworkFiles;
  /** Milliseconds since the epoch at which the command began. */
  now: number;
  clock: () => number;
  /** Tells on the error stream how far it has come. */
  say: (text: string) => void;
};

export type Noun = { name: string; summary: string; commands: readonly Command[] };

/** 0 done; 1 something is not as it should be; 2 wrong input; 3 the data cannot be used; 4 a failure of the program, or its answer cannot be written. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** Thrown for a command line that cannot be understood; each line tells what to change. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** A required text option, by its field. */
export function textOf(given: Given, field: string): string {
  const value = given[field];
  if (typeof value === "string") return value;
  throw new TypeError(`the option for ${field} is not declared as a required text`);
}

/** A text option that may have been left out, by its field. */
export function optionalTextOf(given: Given, field: string): string | undefined {
  return given[field] === undefined ? undefined : textOf(given, field);
}

/** What an update is given besides the name of what it changes; throws a UsageError when that is nothing. */
export function changesBeside(given: Given, field: string): Given {
  const { [field]: _, ...changes } = given;
  if (Object.keys(changes).length > 0) return changes;
  throw new UsageError(["nothing to change: give at least one option more"]);
}
