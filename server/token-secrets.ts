import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";

export type TokenSecrets = { current: string; others: readonly string[] };
export type TokenSecretsVerdict = { ok: true; secrets: TokenSecrets } | { ok: false; message: string };

const generatedBytes = 48;
const leastBytes = 32;

/**
 * The secrets that requestIds and click tokens are sealed with: from the environment, or, outside production,
 * generated once into the data directory, where a restart finds it again.
 */
export function loadTokenSecrets(config: Config): TokenSecretsVerdict {
  return tokenSecretsOf(config, generate);
}

/** The same for a command beside the service, which makes none: nothing was sealed with a secret that is not there. */
export function readTokenSecrets(config: Config): TokenSecretsVerdict {
  return tokenSecretsOf(config, () => null);
}

/** Where the secret lies that was generated. */
export function tokenSecretFileOf({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "token-secret");
}

const tokenSecretsOf = (config: Config, make: (file: string) => string | null): TokenSecretsVerdict => {
  const withOthers = (current: string): TokenSecretsVerdict => ({
    ok: true,
    secrets: { current, others: config.otherTokenSecrets },
  });
  if (config.tokenSecret !== null) return withOthers(config.tokenSecret);
  if (config.production) {
    return {
      ok: false,
      message: `TOKEN_SECRET is required in production: ${leastBytes} random bytes or more, such as from "openssl rand -base64 48"`,
    };
  }
  const file = tokenSecretFileOf(config);
  try {
    const kept = readFirst(file) ?? make(file);
    if (kept === null) return { ok: false, message: `there is no ${file}, and TOKEN_SECRET is not set` };
    const isWhole = Buffer.byteLength(kept) >= leastBytes;
    return isWhole
      ? withOthers(kept)
      : { ok: false, message: `${file} is damaged: delete it, or set TOKEN_SECRET` };
  } catch (error) {
    return {
      ok: false,
      message: `${file} cannot be read or written (${(error as NodeJS.ErrnoException).code})`,
    };
  }
};

const readFirst = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
};

/** Two processes may start at once: the file appears whole, and only the first one's stays. */
const generate = (file: string): string => {
  const secret = randomBytes(generatedBytes).toString("base64url");
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${secret}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, "utf8").trim();
};
