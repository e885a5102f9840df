import { randomBytes } from "node:crypto";
import pg from "pg";
import { type PostgresServer, startPostgres } from "../../server/testing/postgres-server.ts";
import { startStandby } from "../../server/testing/postgres-standby.ts";
import { type Service, startService } from "../service.ts";

/** Several nodes of the service on one PostgreSQL, which may have a standby. */
export type Cluster = {
  nodes: readonly Service[];
  primary(): PostgresServer;
  standby(): PostgresServer | null;
  /** `DATABASE_URL` of all nodes: both servers, whichever is the primary. */
  databaseUrl: string;
  /** Makes the standby the primary, as an operator's tool does once the primary is gone; resolves when it takes writes. */
  promote(): Promise<void>;
  /** Makes a standby anew of a server that is gone, or was the primary. */
  replaceStandby(): Promise<void>;
  /** Lets commits go on without a standby: it is gone. */
  goAlone(): Promise<void>;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
};

export type ClusterOptions = {
  nodes?: number;
  /** Whether each commit waits for the standby. */
  standby?: "synchronous" | "asynchronous" | "none";
  /** Of the nodes beside what a cluster needs. */
  environment?: Record<string, string>;
  /** What stands before the nodes. */
  baseUrl?: string;
  /** Of the servers' configuration. */
  settings?: Record<string, string>;
  /** A server that runs already, and is removed with the cluster; left out: one is started. */
  server?: PostgresServer;
};

const database = "offers";

/** Starts the servers, then the first node, which makes the schema, then the others side by side. */
export async function startCluster({
  nodes: count = 2,
  standby: following = "none",
  environment = {},
  baseUrl,
  settings = {},
  server,
}: ClusterOptions = {}): Promise<Cluster> {
  let primary = server ?? (await startPostgres({ settings }));
  let standby: PostgresServer | null = null;
  const nodes: Service[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
    await Promise.all([standby?.remove(), primary.remove()]);
  };
  try {
    await primary.administer(`create database ${database}`);
    const follow = async (port?: number): Promise<PostgresServer> => {
      const server = await startStandby(primary, { name: "standby", ...(port !== undefined && { port }) });
      if (following === "synchronous") await waitForStandby(primary);
      return server;
    };
    if (following !== "none") standby = await follow();
    const databaseUrl = [primary, standby]
      .flatMap((server) => server ?? [])
      .map(({ port }) => `127.0.0.1:${port}`)
      .join(",");
    const url = `postgres://offers@${databaseUrl}/${database}`;
    const shared = {
      DATABASE_URL: url,
      TOKEN_SECRET: randomBytes(48).toString("base64"),
      ...environment,
    };
    for (let node = 0; node < count; node += 1) {
      nodes.push(await startService({ environment: shared, ...(baseUrl !== undefined && { baseUrl }) }));
    }
    return {
      nodes,
      primary: () => primary,
      standby: () => standby,
      databaseUrl: url,
      promote: async () => {
        if (standby === null) throw new Error("there is no standby");
        await standby.administer("select pg_promote(true, 30)");
        [primary, standby] = [standby, primary];
        await goAlone(primary);
      },
      goAlone: () => goAlone(primary),
      replaceStandby: async () => {
        const former = standby;
        standby = null;
        await former?.remove();
        // At the same address: the nodes know it.
        standby = await follow(former?.port);
      },
      query: async (text, values) => {
        const client = new pg.Client({ connectionString: primary.url(database) });
        await client.connect();
        try {
          return (await client.query(text, values)).rows;
        } finally {
          await client.end();
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Nobody follows it any more, and no commit is to wait for nobody. */
const goAlone = async (primary: PostgresServer): Promise<void> => {
  await primary.administer("alter system reset synchronous_standby_names");
  await primary.administer("select pg_reload_conf()");
};

/** From here on each commit waits for the standby, once it streams. */
const waitForStandby = async (primary: PostgresServer): Promise<void> => {
  await primary.administer("alter system set synchronous_standby_names = 'standby'");
  await primary.administer("select pg_reload_conf()");
  await primary.administer(`do $$ begin
    for try in 1..300 loop
      exit when exists (select 1 from pg_stat_replication where sync_state = 'sync');
      perform pg_sleep(0.1), pg_stat_clear_snapshot();
    end loop;
  end $$`);
};
