import pg from "pg";
import { postgresAddresses, publicAddress } from "../postgres-addresses.ts";
import { startDeadline } from "./deadline.ts";

/** An attempt at one host gives up after so long, for the next one may be there. */
const connectTimeoutMs = 2000;

export type ConnectOptions = {
  /** `DATABASE_URL`, with one host or several. */
  url: string;
  /** How the server's list of activity names the connection. */
  name: string;
  /** Settings of the session, such as `statement_timeout`. */
  settings?: Readonly<Record<string, string | number>>;
  /** Whether statements are sent without waiting for the answers to those before. */
  pipeline?: boolean;
};

/**
 * Connects to the first host that takes writes: a standby does not. Whoever uses the connection listens for its `error`
 * and `end`, after which it is of no use any more. Rejects with NoPrimary when no host does.
 */
export async function connect({
  url,
  name,
  settings = {},
  pipeline = false,
}: ConnectOptions): Promise<pg.Client> {
  const reasons: string[] = [];
  for (const address of postgresAddresses(url) ?? []) {
    const asked = Object.entries({ ...isolation, ...settings, ...mark }).map(
      ([key, value]) => `-c ${key}=${value}`,
    );
    const client = new pg.Client({
      connectionString: address,
      application_name: name,
      keepAlive: true,
      pipeline,
      types: { getTypeParser },
      options: asked.join(" "),
    });
    // Without a listener, a connection that breaks would end the process.
    client.on("error", () => undefined);
    // A host that falls silent in the middle of it is given up as one that takes no connection: nobody else would end the wait.
    const drop = (): void => void client.connection.stream.destroy(new Error("timeout expired"));
    const callOff = startDeadline(connectTimeoutMs, drop);
    try {
      await client.connect();
      const { rows } = await client.query<{ standby: boolean; mark: string | null }>(look);
      const [server] = rows;
      if (server?.mark !== mark["offers.settings"]) throw new Error(withoutSettings);
      if (!server.standby) return client;
      reasons.push(`${publicAddress(address)} is a standby`);
      await client.end();
    } catch (error) {
      reasons.push(`${publicAddress(address)}: ${reasonOf(error)}`);
      client.connection.stream.destroy();
    } finally {
      callOff();
    }
  }
  throw new NoPrimary(`no PostgreSQL server takes writes (${reasons.join("; ")})`);
}

/**
 * Whoever writes locks first and reads behind the lock what others have committed before: a transaction that a role's or a
 * database's own default had begin with one snapshot for all of it would not see that.
 */
const isolation = { default_transaction_isolation: "read\\ committed" } as const;
/** Stands among the settings of each session: where it has not come through, neither have the timeouts beside it. */
const mark = { "offers.settings": "asked" } as const;
/**
 * What a transaction may take at the most is lifted by the same question: PostgreSQL 15 and 16 do not know that setting, and
 * would refuse whoever begins with it.
 */
const look = `select pg_is_in_recovery() as standby, current_setting('offers.settings', true) as mark,
  (select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout') as lifted`;

const withoutSettings =
  "the settings of the session have not come through: let DATABASE_URL lead to PostgreSQL itself, to no pooler such as " +
  "pgbouncer, and have no options of its own";

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // As a pooler says it that does not know them.
  return error.message.includes("startup parameter") ? `${error.message}; ${withoutSettings}` : error.message;
};

/** No host of the address takes writes at this moment. */
class NoPrimary extends Error {
  override readonly name = "NoPrimary";
  /** As the errors of the server have one: a connection could not be made (class 08). */
  readonly code = "08001";
}

const { builtins } = pg.types;

/** Whole numbers come as numbers, as from SQLite; those that no number holds exactly stay text. */
const wholeNumber = (text: string): number | string => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
};

// The library's own function has an overload for each type.
const getTypeParser = ((oid: number, format?: "text") => {
  if (oid === builtins.INT8 || oid === builtins.NUMERIC) return wholeNumber;
  return pg.types.getTypeParser(oid, format);
}) as typeof pg.types.getTypeParser;
