import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { factTypes } from "../../core/fact.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import type { PostgresServer } from "../../testing/postgres-server.ts";
import { addAdvertiser, addOffer, blocked, hop, served, visitOf } from "../conformance/journal-for-tests.ts";
import type { PostgresAddress } from "../database-address.ts";
import type { Writer } from "../engine.ts";
import { openSpool } from "../spool/open-spool.ts";
import { openDatabase } from "./database.ts";
import { migrateAt } from "./open-catalogue.ts";
import { startWriter } from "./start-writer.ts";

/** What a click on the one offer costs. */
export const clickMicros = 1000;

/** A database of its own with the schema and an offer, which has the number 1, and writers of it. */
export async function newWriterDatabase(server: PostgresServer) {
  const name = `writer_${randomBytes(6).toString("hex")}`;
  await server.administer(`create database ${name}`);
  await migrateAt(server.url(name));
  const db = openDatabase({ url: server.url(name), name: "tests" });
  await addAdvertiser(db, "advertiser", 1e12);
  await addOffer(db, { id: "offer", advertiser: "advertiser", payoutMicros: clickMicros });
  await db.destroy();
  const writers: Writer[] = [];
  const directory = mkdtempSync(join(tmpdir(), "offers-writer-"));
  const ask = async <Row extends object>(statement: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: server.url(name) });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    name,
    directory,
    ask,
    /** Opens a writer; `port` is that of a proxy. */
    open: async ({
      port = server.port,
      url: address = server.url(name),
      ...differing
    }: Partial<PostgresAddress> & { port?: number } = {}) => {
      const url = new URL(address);
      url.port = String(port);
      // Of a node its own.
      const spoolFile = differing.spoolFile ?? join(directory, `spool-${writers.length}.sqlite`);
      const events: object[] = [];
      const deaths: Error[] = [];
      const writer = startWriter({
        address: {
          engine: "postgres",
          url: url.href,
          durability: "full",
          needsSyncStandby: false,
          ...differing,
          spoolFile,
        },
        openSpool: (id) => openSpool({ file: spoolFile, database: id, log: (event) => events.push(event) }),
        log: (event) => events.push(event),
        onExhausted: () => undefined,
        onDeath: (error) => deaths.push(error),
      });
      writers.push(writer);
      await writer.open();
      return { writer, events, deaths, spoolFile };
    },
    /** How often each request's decision, or its click, is stored. */
    stored: async (type: "blocked" | "click"): Promise<Map<string, number>> => {
      const rows = await ask<{ request: Buffer; rows: string }>(
        `select request, count(*) as rows from fact where type = ${factTypes[type]} group by request`,
      );
      return new Map(rows.map(({ request, rows: count }) => [request.toString("base64url"), Number(count)]));
    },
    /** What was taken from the offer's budget. */
    spent: async (): Promise<number> => {
      const [row] = await ask<{ micros: string }>(
        "select spent_micros as micros from spend where subject = 'offer' and day = 0",
      );
      return Number(row?.micros ?? 0);
    },
    close: async () => {
      for (const writer of writers) {
        await writer.drain();
        await writer.close();
      }
      await server.administer(`drop database ${name} with (force)`);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Keeps so many entries under way until `stop`: decisions whose callers wait, others that are kept, and clicks. Resolves
 * with the requests that were acknowledged, of kept ones all, and those that were turned away.
 */
export function startLoad({ journal }: Pick<Writer, "journal">, prefix: string) {
  const acknowledged = { blocked: new Set<string>(), click: new Set<string>() };
  const unbilled: string[] = [];
  const kept: string[] = [];
  const refusals: unknown[] = [];
  let isStopped = false;
  let number = 0;
  const nextVisit = () => {
    number += 1;
    return visitOf(`${prefix}${number.toString(36).padStart(6, "0")}`);
  };
  const noteRefusal = (error: unknown): void => {
    if (!(error instanceof StorageUnavailable)) throw error;
    refusals.push(error);
  };
  const send = [
    async () => {
      const visit = nextVisit();
      await journal.append(blocked(visit)).then(() => acknowledged.blocked.add(visit.request), noteRefusal);
    },
    async () => {
      const visit = nextVisit();
      try {
        await journal.append(served(visit, [1]));
        const { billedMicros } = await journal.append(hop(visit, 1));
        if (billedMicros === clickMicros) acknowledged.click.add(visit.request);
        else unbilled.push(visit.request);
      } catch (error) {
        noteRefusal(error);
      }
    },
    async () => {
      const visit = nextVisit();
      const told = journal.keep(blocked(visit), 50);
      await told.then(() => kept.push(visit.request), noteRefusal);
    },
  ];
  const work = async (sendOne: () => Promise<void>): Promise<void> => {
    while (!isStopped) {
      await sendOne();
      // A loop of promises alone would leave the thread's messages no turn.
      await new Promise(setImmediate);
    }
  };
  const working = send.flatMap((sendOne) => Array.from({ length: 20 }, () => work(sendOne)));
  return {
    acknowledged,
    /** Clicks that were acknowledged and cost nothing. */
    unbilled,
    kept,
    refusals,
    stop: async () => {
      isStopped = true;
      await Promise.all(working);
    },
  };
}
