import { existsSync } from "node:fs";
import { type Config, type ConfigVerdict, checkDataDir } from "../config.ts";
import { createTokenKeys } from "../core/token-keys.ts";
import { fullDisk } from "../full-disk.ts";
import { geoFilesOf, openCurrentGeo } from "../geo/geo-files.ts";
import { savingRules } from "../saving-rules.ts";
import type { OpenCatalogue } from "../store/catalogue/catalogue-handle.ts";
import { type DatabaseAddress, databaseName } from "../store/database-address.ts";
import { openCatalogue } from "../store/open-store.ts";
import { readTokenSecrets } from "../token-secrets.ts";
import type { Command, CommandContext } from "./command.ts";

/** Where the data is, and what time it is there. */
export type CatalogueSource = {
  readConfig: () => ConfigVerdict;
  /** Milliseconds since the epoch. */
  now: () => number;
  pause: (milliseconds: number) => Promise<void>;
  /** Whose account runs the command: activity names it. */
  userName: () => string;
  /** Whether a service answers at an address. */
  isAnswering: (address: string) => Promise<boolean>;
  /** To the error stream: refusals and notes. */
  complain: (text: string) => void;
};

/** The data is not there, not ours to open, or locked for too long. */
export class CatalogueUnavailable extends Error {
  override readonly name = "CatalogueUnavailable";
}

/**
 * Runs the `work` of a command on the service's own catalogue, which may be in use, and closes it. Throws
 * CatalogueUnavailable when it cannot be opened, read or written, or is not there and the command may not make it.
 */
export async function withCatalogue<T>(
  source: CatalogueSource,
  command: Pick<Command, "mayBegin" | "afterTrouble">,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const config = usableConfig(source);
  const { database } = config;
  if (!command.mayBegin && database.engine === "sqlite") requireFile(database.file);
  const begun = database.engine === "sqlite" && !existsSync(database.file) ? database.file : null;
  const catalogue = await openCatalogue({
    database,
    actor: { kind: "command_line", name: source.userName() },
    clock: source.now,
  }).catch((error: unknown) => {
    throw new CatalogueUnavailable(
      fullDisk(database, error) ?? `cannot open ${databaseName(database)}: ${messageOf(error)}`,
    );
  });
  // Told at once: it is there from now on, also where the command is refused.
  if (begun !== null) source.complain(`note: there was no database: made ${begun}\n`);
  const { clock, clockOffsetMs } = catalogue;
  if (clockOffsetMs !== 0) source.complain(`note: ${offClock(clockOffsetMs)}\n`);
  try {
    const geoFiles = geoFilesOf(config);
    const rules = savingRules(config.production, () => openCurrentGeo(geoFiles).geo.everywhere());
    const listensAt = addressOf(config);
    const service = {
      baseUrl: config.baseUrl ?? listensAt,
      isBaseUrlSet: config.baseUrl !== null,
      listensAt,
      isAnswering: () => source.isAnswering(listensAt),
    };
    const { pause } = source;
    const tokenKeys = () => {
      const tokens = readTokenSecrets(config);
      return tokens.ok ? createTokenKeys(tokens.secrets) : null;
    };
    const say = (text: string) => source.complain(`${text}\n`);
    return await work({ catalogue, rules, geoFiles, tokenKeys, now: clock(), clock, pause, say, service });
  } catch (error) {
    throw explained(error, catalogue, database, command.afterTrouble ?? nothingChanged);
  } finally {
    await catalogue.close();
  }
}

/** The configuration, with a data directory that is there; throws CatalogueUnavailable else. */
export function usableConfig({ readConfig }: Pick<CatalogueSource, "readConfig">): Config {
  const verdict = readConfig();
  if (!verdict.ok) throw new CatalogueUnavailable(verdict.message);
  const directory = checkDataDir(verdict.config);
  if (!directory.ok) throw new CatalogueUnavailable(directory.message);
  return verdict.config;
}

/** Where a service of this configuration listens, as it is reached from the same machine. */
const addressOf = ({ host, port }: Config): string => {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
};

/**
 * Throws CatalogueUnavailable where there is no database. A command that looks at what is stored, or copies it, would find an
 * empty one in order, and a good backup would be replaced by it.
 */
export function requireFile(file: string): void {
  if (!existsSync(file)) throw new CatalogueUnavailable(`there is no ${file}: is DATA_DIR the service's?`);
}

const offClock = (offsetMs: number): string =>
  `this machine's clock is ${Math.round(Math.abs(offsetMs) / 1000)} s ${offsetMs > 0 ? "behind" : "ahead of"} the database's, ` +
  "by which the command goes: set it (NTP)";

/** `state`: what of the command's change holds where the storage has failed. */
const explained = (
  error: unknown,
  catalogue: OpenCatalogue,
  database: DatabaseAddress,
  state: string,
): unknown => {
  const trouble = catalogue.troubleOf(error);
  if (trouble === null) return error;
  if (trouble.isCommitUnknown) {
    return new CatalogueUnavailable(
      `the connection to ${databaseName(database)} was lost as the change was written (${trouble.code}): it is not known ` +
        "whether it was; look before you try again, such as by: activity list --limit 5",
    );
  }
  if (trouble.isLocked) {
    const advice = "try again, or see which program keeps a transaction open";
    return new CatalogueUnavailable(
      `another program has kept ${databaseName(database)} locked for seconds; ${state}: ${advice}`,
    );
  }
  const full = fullDisk(database, trouble, state);
  if (full !== null) return new CatalogueUnavailable(full);
  return new CatalogueUnavailable(
    `cannot use ${databaseName(database)}: ${messageOf(error)} (${trouble.code}); ${state}`,
  );
};

const nothingChanged = "nothing was changed";

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
