import { randomBytes } from "node:crypto";
import pg from "pg";
import { type PostgresServer, startPostgres } from "../../server/testing/postgres-server.ts";
import { sendVisitors } from "./located-visitors.ts";
import { endService, type Scene, startWatched, type Watched } from "./scene.ts";

/** A service on a PostgreSQL of its own. */
export async function startOnPostgres(): Promise<Watched & { server: PostgresServer }> {
  const server = await startPostgres();
  try {
    await server.administer(`create database ${database}`);
    const environment = {
      DATABASE_URL: server.url(database),
      TOKEN_SECRET: randomBytes(48).toString("base64"),
    };
    return { ...(await startWatched({ environment })), server };
  } catch (error) {
    await server.remove();
    throw error;
  }
}

const database = "watched";

/** The database is gone, and visits wait on the node's own disk. */
export async function lostDatabaseScene(): Promise<Scene> {
  const { service, port, website, server } = await startOnPostgres();
  const visitors = sendVisitors(service, website, { perSecond: 4, each: "visit" });
  return {
    job: "offers-lost-database",
    ports: [port],
    faults: [
      {
        what: "PostgreSQL has ended",
        fires: ["OffersNotRecording", "OffersNoNodeReady", "OffersCatalogueStale", "OffersSpoolWaiting"],
        mayFire: ["OffersNodeAway", "OffersErrorLogged", "OffersCallsFail", "OffersClicksUnbilled"],
        make: () => server.kill(),
      },
    ],
    stop: async () => {
      await visitors.stop();
      await endService(service);
      await server.remove();
    },
  };
}

/** Somebody's transaction holds the table of websites, and events go on being recorded. */
export async function frozenCatalogueScene(): Promise<Scene> {
  const { service, port, website, server } = await startOnPostgres();
  const visitors = sendVisitors(service, website, { perSecond: 4, each: "decision" });
  const client = new pg.Client({ connectionString: server.url(database) });
  client.on("error", () => undefined);
  await client.connect();
  return {
    job: "offers-frozen-catalogue",
    ports: [port],
    faults: [
      {
        what: "a transaction that does not end holds what the catalogue is read from",
        fires: ["OffersCatalogueStale"],
        // What is recorded looks some of it up.
        mayFire: ["OffersSpoolWaiting", "OffersErrorLogged", "OffersNotRecording"],
        make: async () => {
          await client.query("begin; lock table website, publisher, offer in access exclusive mode");
        },
      },
    ],
    stop: async () => {
      await client.end();
      await visitors.stop();
      await endService(service);
      await server.remove();
    },
  };
}
