/** What a PostgreSQL server says of itself, as its own settings call it. */
export type DatabaseSettings = {
  /** `server_version_num`: 150018 is 15.18. */
  version: number;
  encoding: string;
  /** Whether it is a standby, or still reads its log after a crash. */
  isInRecovery: boolean;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  synchronousStandbyNames: string;
};

export type SettingsVerdict = {
  /** Without what it lacks there the service cannot run, however little is asked of it. */
  refusals: string[];
  /** By what the server may lose what it has acknowledged. */
  risks: string[];
};

/** To anybody who asks, of any engine: what exactly is the matter stands in the log. */
export const relaxedWarning = "DURABILITY is relaxed: what was acknowledged may be lost with the power.";

const oldestVersion = 15;
const waitsForDisk = new Set(["on", "remote_apply"]);

/**
 * What is wrong with a server that money is to be recorded on, each in a sentence that says what to change. An empty
 * verdict means that whatever it has committed outlives a loss of power; and, where `needsSyncStandby`, of the machine.
 */
export function settingsVerdict(
  settings: DatabaseSettings,
  { needsSyncStandby }: { needsSyncStandby: boolean },
): SettingsVerdict {
  const { version, encoding, isInRecovery, synchronousCommit } = settings;
  const major = Math.floor(version / 10_000);
  const refusals = [
    major < oldestVersion &&
      `PostgreSQL ${major} is too old: ${oldestVersion} or later is needed, so update the server.`,
    encoding !== "UTF8" &&
      `The database's encoding is ${encoding}: make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    isInRecovery &&
      "The server is a standby, which takes no writes: name the primary in DATABASE_URL as well.",
  ];
  const risks = [
    settings.fsync !== "on" && `fsync is ${settings.fsync}: ${setting("fsync", "on")}.`,
    settings.fullPageWrites !== "on" &&
      `full_page_writes is ${settings.fullPageWrites}: ${setting("full_page_writes", "on")}.`,
    !waitsForDisk.has(synchronousCommit) &&
      `synchronous_commit is ${synchronousCommit}: ${setting("synchronous_commit", "on")}, for the role and the database too.`,
    needsSyncStandby &&
      settings.synchronousStandbyNames.trim() === "" &&
      `REQUIRE_SYNC_STANDBY is set and no commit waits for a standby: ${setting("synchronous_standby_names", "ANY 1 (*)")}.`,
  ];
  return { refusals: refusals.filter(isSaid), risks: risks.filter(isSaid) };
}

const setting = (name: string, value: string): string =>
  `set it by ALTER SYSTEM SET ${name} = '${value}' and SELECT pg_reload_conf()`;

const isSaid = (sentence: string | false): sentence is string => sentence !== false;
