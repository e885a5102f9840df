import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { loadEnvFile } from "node:process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { isOwnNetwork, privateNetworks } from "./address-list.ts";
import { leastKeptDays, mostKeptDays, usualKeptDays } from "./core/kept-events.ts";
import { isLoopbackHost } from "./core/loopback-host.ts";
import { estimatedBits } from "./core/secret-strength.ts";
import type { DatabaseAddress } from "./store/database-address.ts";
import { postgresAddresses } from "./store/postgres-addresses.ts";

/** Everything an operator can set, checked once at the start. */
export type Config = {
  production: boolean;
  host: string;
  /** 0: any free port. */
  port: number;
  /** The origin that visitors reach the service at; null: that of the listening socket. */
  baseUrl: string | null;
  dataDir: string;
  /** A directory that the operator did not name is made when it is missing. */
  dataDirIsDefault: boolean;
  database: DatabaseAddress;
  /** A location database of the operator's own; null: the data that the service comes with. */
  geoDatabase: string | null;
  /** For how many days events are kept one by one; null: for ever. */
  eventsKeptDays: number | null;
  trustProxyHops: number;
  rateLimitFactor: number;
  /** Addresses and networks (CIDR) of the operator's own, whose visits cost nobody anything. */
  internalNetworks: readonly string[];
  /** What an empty database is filled with: the demo's catalogue, and made-up traffic of 90 days on it. */
  seedDemo: "nothing" | "catalogue" | "traffic";
  demoOrigin: string;
  logLevel: (typeof logLevels)[number];
  /** Where metrics are told; null: nowhere. */
  metricsAddress: { host: string; port: number } | null;
  /** Of which share of all calls the log has a line, from 0 to 1. */
  accessShare: number;
  tokenSecret: string | null;
  /** Whether npm started the process, by way of a shell. */
  isNpmScript: boolean;
  /** Opened by and never sealed with: one that was, or one that will be. */
  otherTokenSecrets: readonly string[];
};

export type ConfigVerdict = { ok: true; config: Config } | { ok: false; message: string };

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
/** The least length of a secret in bytes: that of the hash (SHA-256) that keys are derived with. */
const secretBytes = 32;
/** Random base64 or hex of 32 bytes practically never has fewer; a repeated word does. */
const secretCharacters = 10;

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

const secret = z
  .string()
  .refine((text) => Buffer.byteLength(text) >= secretBytes, `must have at least ${secretBytes} bytes`)
  .refine((text) => new Set(text).size >= secretCharacters, "must be random, not a repeated pattern");

/** An engine of containers takes the quotation marks of its file of settings for a part of what stands in them, and a shell does not. */
const unquoted = z
  .string()
  .refine(
    (text) => !/^(["']).*\1$/.test(text),
    "must have no quotation marks around it: they are part of it as it was given",
  );

/** Several, for a second one may follow before the first has had its day (decisions.md#other-token-secrets). */
const severalSecrets = unquoted
  .transform((text) => text.split(",").map((one) => one.trim()))
  .pipe(z.array(secret));

/** The least randomness of a secret of production, in bits as `estimatedBits` counts them. 32 random bytes have twice as many and more. */
const secretBits = 100;

const origin = z
  .url({ protocol: /^https?$/, error: "must be an origin such as https://offers.example" })
  .transform((text) => new URL(text))
  .refine(
    (url) => url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "",
    "must be an origin alone, without a path",
  )
  // A host may have such characters by the standard, and no name that can be resolved has them.
  .refine(
    (url) => /^(?:\[[\da-f:.]+\]|[\da-z._-]+)$/.test(url.hostname),
    "must be an origin alone, whose host has letters, digits, dots and hyphens",
  );

/** `private`: networks that no visitor of a public service has; `none`: an empty list where there would be a default. */
const networks = z
  .string()
  .transform((text) => text.split(",").map((entry) => entry.trim()))
  .refine(
    (entries) => entries.every((entry) => entry === "private" || entry === "none" || isOwnNetwork(entry)),
    "must be addresses or networks such as 203.0.113.7 or 2001:db8::/32, none wider than /8 (IPv6: /16) but for private ones, private or none, with commas between",
  )
  .transform((entries) =>
    entries.flatMap((entry) => (entry === "private" ? privateNetworks : entry === "none" ? [] : [entry])),
  );

/** An address of this machine and nobody's name: what a name stands for may change, and be a public one then. */
const ownAddress = z
  .string()
  .refine((text) => isIP(text) !== 0, "must be an address such as 127.0.0.1 or ::1, and no name");

const keptDays = z
  .string()
  .transform((text) => (text === "forever" ? null : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN))
  .refine(
    (days) => days === null || (days >= leastKeptDays && days <= mostKeptDays),
    `must be forever, or a whole number of days from ${leastKeptDays} to ${mostKeptDays}: an event may be reported ` +
      "seven days late, and the id of its visit lives for one more",
  );

const notYet = (what: string) =>
  z.undefined(`must not be set: this version does not support ${what}`).optional();

const calledElse = (name: string) => z.undefined(`must not be set: here it is ${name}`).optional();

const environment = z
  .object({
    NODE_ENV: z
      .enum(["development", "production", "test"], "must be development, production or test")
      .default("development"),
    HOST: z.string().max(255).default("127.0.0.1"),
    PORT: wholeNumber(0, 65_535).default(8787),
    BASE_URL: origin.optional(),
    DATA_DIR: z.string().optional(),
    DATABASE_URL: z
      .string()
      .refine(
        (url) => postgresAddresses(url) !== null && !/\s/.test(url),
        "must be postgres://user:password@host:port/database, with more hosts after commas where there are standbys",
      )
      .optional(),
    REQUIRE_SYNC_STANDBY: z.stringbool("must be true or false").default(false),
    REDIS_URL: notYet("Redis"),
    GEO_DATABASE: z.string().optional(),
    DURABILITY: z.enum(["full", "relaxed"], "must be full or relaxed").default("full"),
    RETENTION_DAYS: keptDays.default(usualKeptDays),
    EVENTS_KEPT_DAYS: calledElse("RETENTION_DAYS"),
    TRUST_PROXY_HOPS: wholeNumber(0, 16).default(0),
    RATE_LIMIT_FACTOR: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,6})?$/, "must be a number such as 1 or 0.5")
      .transform(Number)
      .pipe(z.number().positive("must be above 0"))
      .default(1),
    INTERNAL_ADDRESSES: networks.optional(),
    SEED_DEMO: z.union([z.literal("traffic"), z.stringbool()], "must be true, false or traffic").optional(),
    DEMO_PORT: wholeNumber(1, 65_535).default(8788),
    LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
    METRICS_HOST: ownAddress.default("127.0.0.1"),
    METRICS_PORT: wholeNumber(0, 65_535).optional(),
    METRICS_ADDRESS: calledElse("METRICS_PORT, a port alone, and METRICS_HOST, an address"),
    ACCESS_LOG: z
      .string()
      .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, "must be a share from 0 to 1, such as 0.01")
      .transform(Number)
      .default(0),
    TOKEN_SECRET: secret
      .pipe(unquoted)
      .refine(
        (text) => !text.includes(",") && text === text.trim(),
        "must have no comma and no blank at its ends, or TOKEN_SECRET_PREVIOUS could not name it later: " +
          'take another, such as from "openssl rand -base64 48"',
      )
      .optional(),
    TOKEN_SECRET_PREVIOUS: severalSecrets.default([]),
    // Set by npm for whatever a script of package.json runs.
    npm_lifecycle_event: z.string().optional(),
  })
  .superRefine((env, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [name], message });
    if (env.METRICS_PORT === env.PORT && env.PORT !== 0) {
      refuse("METRICS_PORT", "must be another port than PORT: whoever visits the service must not read it");
    }
    if (env.DATABASE_URL === undefined && env.REQUIRE_SYNC_STANDBY) {
      refuse("REQUIRE_SYNC_STANDBY", "must not be true without DATABASE_URL: a file has no standby");
    }
    if (env.DATABASE_URL !== undefined && env.TOKEN_SECRET === undefined) {
      refuse("TOKEN_SECRET", "is required with DATABASE_URL: all nodes share it");
    }
    if (env.NODE_ENV !== "production") return;
    const given = { TOKEN_SECRET: env.TOKEN_SECRET ?? [], TOKEN_SECRET_PREVIOUS: env.TOKEN_SECRET_PREVIOUS };
    for (const [name, secrets] of Object.entries(given)) {
      if ([secrets].flat().every((text) => estimatedBits(text) >= secretBits)) continue;
      refuse(name, 'must be random in production, such as from "openssl rand -base64 48"');
    }
    if (env.SEED_DEMO === "traffic") refuse("SEED_DEMO", "must not be traffic in production: it is made up");
    if (env.BASE_URL === undefined) refuse("BASE_URL", "is required in production");
    else if (env.BASE_URL.protocol !== "https:" && !isLoopbackHost(env.BASE_URL.hostname)) {
      refuse("BASE_URL", "must be https in production");
    }
  });

/**
 * Reads the environment, the only place of the project that does. An empty value counts as not set.
 * A refusal is one line that names each variable and what it must be.
 */
export function readConfig(env: Record<string, string | undefined> = ownEnvironment()): ConfigVerdict {
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text?.trim()));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
    return { ok: false, message: `The configuration is not valid: ${issues.join("; ")}` };
  }
  return { ok: true, config: toConfig(parsed.data) };
}

/** The process's own variables, and those of a `.env` in the working directory that they do not name. */
const ownEnvironment = (): NodeJS.ProcessEnv => {
  if (existsSync(".env")) loadEnvFile(".env");
  return process.env;
};

/** Makes sure that the data directory stands and can be written to; a named one must exist already. */
export function checkDataDir(config: Config): { ok: true } | { ok: false; message: string } {
  const { dataDir } = config;
  try {
    if (config.dataDirIsDefault) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!statSync(dataDir).isDirectory())
      return { ok: false, message: `DATA_DIR ${dataDir} is no directory` };
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return { ok: true };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason =
      code === "ENOENT"
        ? `does not exist: make it first (mkdir -p -m 700 ${dataDir}), as the user that the service runs as, or mount what holds it`
        : `cannot be written to (${code})`;
    return { ok: false, message: `DATA_DIR ${dataDir} ${reason}` };
  }
}

const toConfig = (env: z.infer<typeof environment>): Config => {
  const production = env.NODE_ENV === "production";
  const ownDataDir = fileURLToPath(new URL("../.data", import.meta.url));
  const dataDir = env.DATA_DIR ? resolve(env.DATA_DIR) : ownDataDir;
  return {
    production,
    host: env.HOST,
    port: env.PORT,
    baseUrl: env.BASE_URL?.origin ?? null,
    dataDir,
    dataDirIsDefault: dataDir === ownDataDir,
    database: databaseOf(env, dataDir),
    geoDatabase: env.GEO_DATABASE ? resolve(env.GEO_DATABASE) : null,
    eventsKeptDays: env.RETENTION_DAYS,
    trustProxyHops: env.TRUST_PROXY_HOPS,
    rateLimitFactor: env.RATE_LIMIT_FACTOR,
    // A developer's own machine is where all visits come from.
    internalNetworks: env.INTERNAL_ADDRESSES ?? (production ? privateNetworks : []),
    seedDemo: seedOf(env.SEED_DEMO ?? !production),
    demoOrigin: `http://localhost:${env.DEMO_PORT}`,
    logLevel: env.LOG_LEVEL,
    metricsAddress:
      env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    // Whoever looks for one call among them wants to see each.
    accessShare: env.LOG_LEVEL === "debug" || env.LOG_LEVEL === "trace" ? 1 : env.ACCESS_LOG,
    tokenSecret: env.TOKEN_SECRET ?? null,
    isNpmScript: env.npm_lifecycle_event !== undefined,
    otherTokenSecrets: env.TOKEN_SECRET_PREVIOUS,
  };
};

const databaseOf = (
  {
    DATABASE_URL: url,
    DURABILITY: durability,
    REQUIRE_SYNC_STANDBY: needsSyncStandby,
  }: z.infer<typeof environment>,
  dataDir: string,
): DatabaseAddress => {
  if (url === undefined) return { engine: "sqlite", file: join(dataDir, "offers.sqlite"), durability };
  return { engine: "postgres", url, durability, needsSyncStandby, spoolFile: join(dataDir, "spool.sqlite") };
};

const seedOf = (asked: "traffic" | boolean): Config["seedDemo"] => {
  if (asked === "traffic") return "traffic";
  return asked ? "catalogue" : "nothing";
};
