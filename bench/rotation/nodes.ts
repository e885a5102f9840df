import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../server/testing/free-port.ts";
import { type PostgresServer, startPostgres } from "../../server/testing/postgres-server.ts";
import { type LoadBalancer, startProxy } from "../cluster/proxy.ts";
import type { Engine } from "../cluster/start-nodes.ts";
import { type Service, startService } from "../service.ts";

/** Two processes on one set of books, behind one address. */
export type Nodes = {
  url: string;
  /** `TOKEN_SECRET` at the start. */
  tokenSecret: string;
  all: readonly [Service, Service];
  /** The server that they share; null: it is a file. */
  server: PostgresServer | null;
  /** Starts one after the other anew, with these variables from now on; the exit codes that were none. */
  roll(changed: Record<string, string>): Promise<number[]>;
  stop(): Promise<void>;
};

/** A change of settings asks for less than the two seconds in which a stopping node still answers. */
const noticedMs = 800;

export const roles = ["offers_a", "offers_b"] as const;
const database = "offers";

export async function startNodes(engine: Engine): Promise<Nodes> {
  const server = engine === "postgres" ? await startServer() : null;
  const port = await freePort();
  const nodes: Service[] = [];
  let proxy: LoadBalancer | null = null;
  const stop = async (): Promise<void> => {
    await proxy?.close();
    for (const node of nodes.toReversed()) await node.stop();
    await server?.remove();
  };
  try {
    const url = `http://127.0.0.1:${port}`;
    const tokenSecret = newSecret();
    const environment = {
      TOKEN_SECRET: tokenSecret,
      TRUST_PROXY_HOPS: "2",
      RATE_LIMIT_FACTOR: "100000",
      ...(server !== null && {
        DATABASE_URL: addressOf(server, roles[0], await givePassword(server, roles[0])),
      }),
    };
    const first = await startService({ environment, baseUrl: url });
    nodes.push(first);
    // On one file both have one directory.
    const second = await startService({
      environment,
      baseUrl: url,
      ...(server === null && { dataDir: first.dataDir }),
    });
    nodes.push(second);
    proxy = await startProxy(
      nodes.map((node) => node.url),
      { port },
    );
    return {
      url,
      tokenSecret,
      all: [first, second],
      server,
      roll: async (changed) => {
        const codes: number[] = [];
        for (const node of nodes) {
          const code = await node.terminate();
          if (code !== 0) codes.push(code ?? -1);
          await node.start(changed);
          await pause(noticedMs);
        }
        return codes;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function newSecret(): string {
  return randomBytes(48).toString("base64");
}

/** Gives a role that may sign in a new password. */
export async function givePassword(server: PostgresServer, role: string): Promise<string> {
  const password = randomBytes(18).toString("hex");
  await server.administer(`alter role ${role} login password '${password}'`);
  return password;
}

export function addressOf(server: PostgresServer, role: string, password: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${server.port}/${database}`;
}

/** Two roles that act as the owner of the database, each with a password of its own. */
const startServer = async (): Promise<PostgresServer> => {
  const server = await startPostgres();
  try {
    await server.administer("create role offers_owner nologin");
    await server.administer(`create database ${database} owner offers_owner`);
    for (const role of roles) {
      await server.administer(`create role ${role} in role offers_owner`);
      await server.administer(`alter role ${role} set role offers_owner`);
    }
    // Everybody but the administrator has to say a password.
    const rules = ["host all offers 127.0.0.1/32 trust", "host all all 127.0.0.1/32 scram-sha-256"];
    writeFileSync(join(server.dataDir, "pg_hba.conf"), `${rules.join("\n")}\n`);
    server.own();
    await server.administer("select pg_reload_conf()");
    return server;
  } catch (error) {
    await server.remove();
    throw error;
  }
};
