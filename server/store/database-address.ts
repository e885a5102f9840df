import { postgresAddresses, publicAddress } from "./postgres-addresses.ts";

/** Where everything is stored. Which engine it is decides nothing that anybody outside the store can see. */
export type DatabaseAddress = SqliteAddress | PostgresAddress;

/** `relaxed`: what was acknowledged may be lost when the machine stops. */
type Durability = "full" | "relaxed";

/** A file of this machine. */
export type SqliteAddress = { engine: "sqlite"; file: string; durability: Durability };

/** A database that any number of nodes share. */
export type PostgresAddress = {
  engine: "postgres";
  /** `DATABASE_URL`: with one host, or the primary and its standbys in any order. */
  url: string;
  /** `relaxed`: it is used even where its settings may lose what was acknowledged. */
  durability: Durability;
  /** Whether a server without a standby that every commit waits for is refused. */
  needsSyncStandby: boolean;
  /** Where visits are kept while the database is away. */
  spoolFile: string;
};

/** What of an address nobody may read in a log, in each form in which a message may have it. */
export function databaseSecrets(address: DatabaseAddress): string[] {
  if (address.engine === "sqlite") return [];
  return (postgresAddresses(address.url) ?? []).flatMap((one) => {
    const { password, searchParams } = new URL(one);
    const given = [password, decoded(password), searchParams.get("password") ?? ""];
    return given.filter((text) => text !== "");
  });
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** How an address is told to people: without what only its user may know. */
export function databaseName(address: DatabaseAddress): string {
  if (address.engine === "sqlite") return address.file;
  return (postgresAddresses(address.url) ?? []).map(publicAddress).join(", ");
}
