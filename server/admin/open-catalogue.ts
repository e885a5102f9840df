import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type Config, type ConfigVerdict, checkDataDir } from "../config.ts";
import { createTokenKeys } from "../core/token-keys.ts";
import { geoFilesOf, openCurrentGeo } from "../geo/geo-files.ts";
import { networkFilesOf } from "../geo/network-files.ts";
import { savingRules } from "../saving-rules.ts";
import type { OpenCatalogue } from "../store/catalogue/catalogue-handle.ts";
import { type DatabaseAddress, databaseName } from "../store/database-address.ts";
import { openCatalogue } from "../store/open-store.ts";
import { loadTokenSecrets } from "../token-secrets.ts";
import type { CommandContext } from "./command.ts";

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
};

/** The data is not there, not ours to open, or locked for too long. */
export class CatalogueUnavailable extends Error {
  override readonly name = "CatalogueUnavailable";
}

/**
 * Runs `work` on the service's own catalogue, which may be in use, and closes it. Throws CatalogueUnavailable when it
 * cannot be opened, read or written.
 */
export async function withCatalogue<T>(
  source: CatalogueSource,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const config = usableConfig(source);
  const { database } = config;
  const catalogue = await openCatalogue({
    database,
    actor: { kind: "command_line", name: source.userName() },
    clock: source.now,
  }).catch((error: unknown) => {
    throw new CatalogueUnavailable(
      isFull(database) ? fullDisk(database) : `cannot open ${databaseName(database)}: ${messageOf(error)}`,
    );
  });
  try {
    const geoFiles = geoFilesOf(config);
    const rules = savingRules(config.production, () => openCurrentGeo(geoFiles).geo.everywhere());
    const listensAt = addressOf(config);
    const service = {
      baseUrl: config.baseUrl ?? listensAt,
      listensAt,
      isAnswering: () => source.isAnswering(listensAt),
    };
    const { now: clock, pause } = source;
    const tokenKeys = () => {
      const tokens = loadTokenSecrets(config);
      return tokens.ok ? createTokenKeys(tokens.secrets) : null;
    };
    const files = { geoFiles, networkFiles: networkFilesOf(config) };
    return await work({ catalogue, rules, ...files, tokenKeys, now: clock(), clock, pause, service });
  } catch (error) {
    throw explained(error, catalogue, database);
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

const explained = (error: unknown, catalogue: OpenCatalogue, database: DatabaseAddress): unknown => {
  const trouble = catalogue.troubleOf(error);
  if (trouble === null) return error;
  if (trouble.isLocked) {
    const advice = "try again, or see which program keeps a transaction open";
    return new CatalogueUnavailable(
      `another program has kept ${databaseName(database)} locked for seconds; nothing was changed: ${advice}`,
    );
  }
  if (fullCodes.includes(trouble.code) || isFull(database))
    return new CatalogueUnavailable(fullDisk(database));
  return new CatalogueUnavailable(
    `cannot use ${databaseName(database)}: ${messageOf(error)} (${trouble.code})`,
  );
};

/** How SQLite and PostgreSQL say it. */
const fullCodes = ["SQLITE_FULL", "53100"];

const fullDisk = (database: DatabaseAddress): string =>
  `the disk of ${databaseName(database)} is full; nothing was changed: make room and try again`;

/** As much as SQLite needs beside the database before it can do anything; without, it speaks of I/O errors. */
const leastBytes = 64 * 1024;

/** A server says so itself. */
const isFull = (database: DatabaseAddress): boolean => {
  if (database.engine !== "sqlite") return false;
  const { bavail, bsize } = statfsSync(dirname(database.file));
  return bavail * bsize < leastBytes;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
