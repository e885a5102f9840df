import pg from "pg";
import { postgresAddresses, publicAddress } from "../postgres-addresses.ts";

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
    const options = Object.entries(settings).map(([key, value]) => `-c ${key}=${value}`);
    const client = new pg.Client({
      connectionString: address,
      application_name: name,
      keepAlive: true,
      pipeline,
      types: { getTypeParser },
      ...(options.length > 0 && { options: options.join(" ") }),
    });
    // Without a listener, a connection that breaks would end the process.
    client.on("error", () => undefined);
    // A host that falls silent in the middle of it is given up as one that takes no connection: nobody else would end the wait.
    const drop = (): void => void client.connection.stream.destroy(new Error("timeout expired"));
    const timer = setTimeout(drop, connectTimeoutMs);
    try {
      await client.connect();
      const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
      if (rows[0]?.standby === false) return client;
      reasons.push(`${publicAddress(address)} is a standby`);
      await client.end();
    } catch (error) {
      reasons.push(`${publicAddress(address)}: ${error instanceof Error ? error.message : String(error)}`);
      client.connection.stream.destroy();
    } finally {
      clearTimeout(timer);
    }
  }
  throw new NoPrimary(`no PostgreSQL server takes writes (${reasons.join("; ")})`);
}

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
