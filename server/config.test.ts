import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Config, checkDataDir, readConfig } from "./config.ts";
import { databaseName, databaseSecrets } from "./store/database-address.ts";
import { loadTokenSecrets, readTokenSecrets } from "./token-secrets.ts";

const goodSecret = "q7Fh2-Zk9vXw_3LrTt8bYcN5mPdGsJ4eA1uQ";
const production = { NODE_ENV: "production", BASE_URL: "https://offers.example", TOKEN_SECRET: goodSecret };

const accepted = (env: Record<string, string>): Config => {
  const verdict = readConfig(env);
  if (!verdict.ok) throw new Error(verdict.message);
  return verdict.config;
};

describe("configuration", () => {
  it("has a default for everything outside production", () => {
    expect(accepted({})).toMatchObject({
      host: "127.0.0.1",
      port: 8787,
      baseUrl: null,
      database: { engine: "sqlite", durability: "full" },
      eventsKeptDays: 90,
      trustProxyHops: 0,
      rateLimitFactor: 1,
      seedDemo: "catalogue",
      demoOrigin: "http://localhost:8788",
      logLevel: "info",
      metricsAddress: null,
      accessShare: 0,
      production: false,
    });
  });

  it("logs a share of all calls, and each while somebody debugs", () => {
    expect(accepted({ ACCESS_LOG: "0.01" }).accessShare).toBe(0.01);
    expect(accepted({ ACCESS_LOG: "1" }).accessShare).toBe(1);
    expect(accepted({ LOG_LEVEL: "debug" }).accessShare).toBe(1);
    expect(accepted({ LOG_LEVEL: "info" }).accessShare).toBe(0);
  });

  it("keeps events for some days, or for ever", () => {
    expect(accepted({ RETENTION_DAYS: "8" }).eventsKeptDays).toBe(8);
    expect(accepted({ RETENTION_DAYS: "forever" }).eventsKeptDays).toBeNull();
  });

  it("tells metrics at an address of their own, of either family", () => {
    const addressOf = (env: Record<string, string>) => accepted(env).metricsAddress;
    expect(addressOf({ METRICS_PORT: "9464" })).toEqual({ host: "127.0.0.1", port: 9464 });
    expect(addressOf({ METRICS_PORT: "9464", METRICS_HOST: "::1" })).toEqual({ host: "::1", port: 9464 });
    expect(addressOf({ METRICS_PORT: "0", METRICS_HOST: "0.0.0.0" })).toEqual({ host: "0.0.0.0", port: 0 });
  });

  it("tells metrics nowhere where no port is named", () => {
    expect(accepted({ METRICS_HOST: "0.0.0.0" }).metricsAddress).toBeNull();
    expect(accepted({ METRICS_HOST: "0.0.0.0", METRICS_PORT: "" }).metricsAddress).toBeNull();
  });

  it("shares a PostgreSQL where one is named, and never tells its password", () => {
    const given = {
      TOKEN_SECRET: production.TOKEN_SECRET,
      DATABASE_URL: "postgres://u:hidden@one:5432,two/offers",
    };
    const { database } = accepted({ ...given, REQUIRE_SYNC_STANDBY: "true" });
    expect(database).toMatchObject({ engine: "postgres", url: given.DATABASE_URL, needsSyncStandby: true });
    expect(databaseName(database)).toBe("postgres://one:5432/offers, postgres://two/offers");
    expect(databaseSecrets(database)).toEqual(["hidden", "hidden", "hidden", "hidden"]);
    const quoted = { ...given, DATABASE_URL: "postgres://u:p%40ss@one/offers?password=other" };
    expect(new Set(databaseSecrets(accepted(quoted).database))).toEqual(new Set(["p%40ss", "p@ss", "other"]));
    expect(databaseSecrets(accepted({}).database)).toEqual([]);
  });

  it("takes an empty value for one that is not set", () => {
    const empty = accepted({ PORT: "", TOKEN_SECRET: " ", DATABASE_URL: "", GEO_DATABASE: "" });
    expect(empty).toMatchObject({ port: 8787, geoDatabase: null });
  });

  it("seeds the demo in production only when told to", () => {
    expect(accepted(production).seedDemo).toBe("nothing");
    expect(accepted({ ...production, SEED_DEMO: "true" }).seedDemo).toBe("catalogue");
  });

  it("seeds traffic when told to, and never in production", () => {
    expect(accepted({ SEED_DEMO: "traffic" }).seedDemo).toBe("traffic");
    expect(accepted({ SEED_DEMO: "false" }).seedDemo).toBe("nothing");
    expect(readConfig({ ...production, SEED_DEMO: "traffic" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("SEED_DEMO must not be traffic in production"),
    });
  });

  it.each([
    [{ PORT: "80a" }, "PORT must be"],
    [{ PORT: "70000" }, "PORT must be"],
    [{ TRUST_PROXY_HOPS: "true" }, "TRUST_PROXY_HOPS must be"],
    [{ TRUST_PROXY_HOPS: "-1" }, "TRUST_PROXY_HOPS must be"],
    [{ TRUST_PROXY_HOPS: "10.0.0.0/8" }, "TRUST_PROXY_HOPS must be"],
    [{ RATE_LIMIT_FACTOR: "0" }, "RATE_LIMIT_FACTOR must be"],
    [{ RATE_LIMIT_FACTOR: "1e3" }, "RATE_LIMIT_FACTOR must be"],
    [{ INTERNAL_ADDRESSES: "office" }, "INTERNAL_ADDRESSES must be"],
    [{ INTERNAL_ADDRESSES: "203.0.113.7,,10.0.0.0/8" }, "INTERNAL_ADDRESSES must be"],
    [{ INTERNAL_ADDRESSES: "203.0.113.0/33" }, "INTERNAL_ADDRESSES must be"],
    [{ INTERNAL_ADDRESSES: "private,0.0.0.0/0" }, "INTERNAL_ADDRESSES must be"],
    [{ INTERNAL_ADDRESSES: "203.0.113.7/3" }, "INTERNAL_ADDRESSES must be"],
    [{ INTERNAL_ADDRESSES: "2001:db8::/15" }, "INTERNAL_ADDRESSES must be"],
    [{ EVENTS_KEPT_DAYS: "30" }, "EVENTS_KEPT_DAYS must not be set: here it is RETENTION_DAYS"],
    [
      { METRICS_ADDRESS: "127.0.0.1:9464" },
      "METRICS_ADDRESS must not be set: here it is METRICS_PORT, a port alone, and METRICS_HOST, an address",
    ],
    [{ DURABILITY: "off" }, "DURABILITY must be"],
    [{ RETENTION_DAYS: "7" }, "RETENTION_DAYS must be forever, or a whole number of days from 8 to 36500"],
    [{ RETENTION_DAYS: "40000" }, "RETENTION_DAYS must be"],
    [{ RETENTION_DAYS: "9.5" }, "RETENTION_DAYS must be"],
    [{ RETENTION_DAYS: "null" }, "RETENTION_DAYS must be"],
    [{ SEED_DEMO: "maybe" }, "SEED_DEMO must be"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be"],
    ...["127.0.0.1:9464", ":9464", "70000", "-1", "off"].map((text): [Record<string, string>, string] => [
      { METRICS_PORT: text },
      "METRICS_PORT must be",
    ]),
    ...["localhost", "127.0.0.256", "127.0.0.1:9464", "[::1]", "http://127.0.0.1"].map(
      (text): [Record<string, string>, string] => [
        { METRICS_PORT: "9464", METRICS_HOST: text },
        "METRICS_HOST must be an address such as 127.0.0.1 or ::1, and no name",
      ],
    ),
    [{ METRICS_PORT: "8787" }, "METRICS_PORT must be another port than PORT"],
    [{ PORT: "80", METRICS_PORT: "80", METRICS_HOST: "::" }, "METRICS_PORT must be another port than PORT"],
    [{ ACCESS_LOG: "true" }, "ACCESS_LOG must be a share from 0 to 1"],
    [{ ACCESS_LOG: "1.5" }, "ACCESS_LOG must be"],
    [{ ACCESS_LOG: "-0.1" }, "ACCESS_LOG must be"],
    [{ ACCESS_LOG: "1%" }, "ACCESS_LOG must be"],
    [{ BASE_URL: "offers.example" }, "BASE_URL must be"],
    [{ BASE_URL: "ftp://offers.example" }, "BASE_URL must be"],
    [{ BASE_URL: "https://offers.example/api" }, "BASE_URL must be"],
    [{ BASE_URL: "https://offers.example;" }, "BASE_URL must be an origin alone, whose host has letters"],
    [{ BASE_URL: "https://offers.example," }, "BASE_URL must be an origin alone, whose host has letters"],
    [{ DATABASE_URL: "mysql://db/offers" }, "DATABASE_URL must be postgres://"],
    [{ DATABASE_URL: "postgres://u:pass@db" }, "DATABASE_URL must be postgres://"],
    [{ DATABASE_URL: "postgres://u:pass@db:port/offers" }, "DATABASE_URL must be postgres://"],
    [{ DATABASE_URL: "postgres://u:pass@db,,spare/offers" }, "DATABASE_URL must be postgres://"],
    [{ DATABASE_URL: "postgres://u:pass@db/offers " }, "DATABASE_URL must be postgres://"],
    [{ DATABASE_URL: "postgres://u:pass@db/offers\r" }, "DATABASE_URL must be postgres://"],
    [{ REQUIRE_SYNC_STANDBY: "maybe" }, "REQUIRE_SYNC_STANDBY must be true or false"],
    [
      { REQUIRE_SYNC_STANDBY: "true" },
      "REQUIRE_SYNC_STANDBY must not be true without DATABASE_URL: a file has no standby",
    ],
    [{ DATABASE_URL: "postgres://u@db/offers" }, "TOKEN_SECRET is required with DATABASE_URL"],
    [{ REDIS_URL: "redis://cache" }, "REDIS_URL must not be set"],
    [{ TOKEN_SECRET: "changeme" }, "TOKEN_SECRET must have at least 32 bytes"],
    [{ TOKEN_SECRET: "abc".repeat(20) }, "TOKEN_SECRET must be random"],
    [{ TOKEN_SECRET: `${goodSecret},${goodSecret}` }, "TOKEN_SECRET must have no comma"],
    [{ TOKEN_SECRET: `"${goodSecret}"` }, "TOKEN_SECRET must have no quotation marks around it"],
    [{ TOKEN_SECRET: `'${goodSecret}'` }, "TOKEN_SECRET must have no quotation marks around it"],
    [
      { TOKEN_SECRET_PREVIOUS: `"${goodSecret},${goodSecret}"` },
      "TOKEN_SECRET_PREVIOUS must have no quotation marks around it",
    ],
    [{ TOKEN_SECRET: `${goodSecret} ` }, "TOKEN_SECRET must have no comma and no blank at its ends"],
    [
      { ...production, TOKEN_SECRET: "your-secret-key-here-at-least-32-bytes-long" },
      "TOKEN_SECRET must be random in production",
    ],
    [
      { ...production, TOKEN_SECRET_PREVIOUS: "0123456789abcdef0123456789abcdef" },
      "TOKEN_SECRET_PREVIOUS must be random in production",
    ],
    [
      { ...production, TOKEN_SECRET_PREVIOUS: `${goodSecret},0123456789abcdef0123456789abcdef` },
      "TOKEN_SECRET_PREVIOUS must be random in production",
    ],
    [{ TOKEN_SECRET_PREVIOUS: `${goodSecret},short` }, "TOKEN_SECRET_PREVIOUS.1 must have at least 32 bytes"],
    [{ ...production, BASE_URL: "" }, "BASE_URL is required in production"],
    [{ ...production, BASE_URL: "http://localhost.offers.example" }, "BASE_URL must be https in production"],
    [{ ...production, BASE_URL: "http://offers.example" }, "BASE_URL must be https in production"],
  ])("refuses %j in one line that says what to change", (env: Record<string, string>, message) => {
    const verdict = readConfig(env);
    expect(verdict).toMatchObject({ ok: false, message: expect.stringContaining(message) });
    expect(JSON.stringify(verdict)).not.toContain("\\n");
    if (env.TOKEN_SECRET) expect(JSON.stringify(verdict)).not.toContain(env.TOKEN_SECRET);
  });
});

describe("data directory and secrets", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "offers-config-"));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it("makes the default directory, and refuses a named one that is missing or a file", () => {
    const fallback = { ...accepted({}), dataDir: join(root, "made"), dataDirIsDefault: true };
    expect(checkDataDir(fallback)).toEqual({ ok: true });
    expect(checkDataDir(accepted({ DATA_DIR: join(root, "absent") }))).toMatchObject({
      ok: false,
      message: expect.stringContaining("does not exist"),
    });
    writeFileSync(join(root, "file"), "");
    expect(checkDataDir(accepted({ DATA_DIR: join(root, "file") })).ok).toBe(false);
  });

  it("generates a secret once, readable by its owner only, and finds it again", () => {
    const config = accepted({ DATA_DIR: root });
    const first = loadTokenSecrets(config);
    expect(first).toMatchObject({ ok: true, secrets: { current: expect.stringMatching(/^[\w-]{64}$/) } });
    expect(loadTokenSecrets(config)).toEqual(first);
    expect(statSync(join(root, "token-secret")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(root, "token-secret"), "utf8")).not.toBe("");
  });

  it("makes none for a command, which only reads", () => {
    const dataDir = mkdtempSync(join(root, "read-"));
    const config = accepted({ DATA_DIR: dataDir });
    expect(readTokenSecrets(config)).toMatchObject({
      ok: false,
      message: expect.stringContaining("there is no"),
    });
    expect(existsSync(join(dataDir, "token-secret"))).toBe(false);
    const made = loadTokenSecrets(config);
    expect(readTokenSecrets(config)).toEqual(made);
  });

  it("refuses a secret file that was cut short", () => {
    writeFileSync(join(root, "token-secret"), "short");
    expect(loadTokenSecrets(accepted({ DATA_DIR: root }))).toMatchObject({
      ok: false,
      message: expect.stringContaining("is damaged"),
    });
  });

  it("generates none in production", () => {
    const verdict = loadTokenSecrets(accepted({ ...production, TOKEN_SECRET: "", DATA_DIR: root }));
    expect(verdict).toMatchObject({
      ok: false,
      message: expect.stringContaining("is required in production"),
    });
  });

  it.each([
    ["none", "", []],
    ["one", `${goodSecret}-old`, [`${goodSecret}-old`]],
    ["several", `${goodSecret}-old, ${goodSecret}-next`, [`${goodSecret}-old`, `${goodSecret}-next`]],
  ])("takes the secrets of the environment, with %s beside the current", (_, given, others) => {
    const config = accepted({ ...production, TOKEN_SECRET_PREVIOUS: given });
    expect(loadTokenSecrets(config)).toEqual({ ok: true, secrets: { current: goodSecret, others } });
  });
});
