import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import type { JournalEntry } from "../core/journal-entry.ts";
import { requestKeysSince } from "../core/request-key.ts";
import {
  addAdvertiser,
  addOffer,
  blocked,
  hop,
  impression,
  payerOf,
  served,
  visitOf,
} from "../store/conformance/journal-for-tests.ts";
import { connect } from "../store/postgres/connect.ts";
import { openDatabase as openPostgres } from "../store/postgres/database.ts";
import { migrateAt } from "../store/postgres/open-catalogue.ts";
import { prepareBatchWriter as writeOnPostgres } from "../store/postgres/write-batch.ts";
import { writerSettings } from "../store/postgres/writer-settings.ts";
import type { Schema } from "../store/schema.ts";
import { openDatabase as openSqlite } from "../store/sqlite/database.ts";
import { migrate } from "../store/sqlite/migrate.ts";
import { prepareBatchWriter as writeOnSqlite } from "../store/sqlite/write-batch.ts";
import { startPostgres } from "./postgres-server.ts";

/**
 * `node server/testing/engine-cost.ts [rounds] [events]`: the processor time of an entry on both engines, in one run and by the
 * same entries, batches of 500 and of 50 in turn; before that so many events are recorded on PostgreSQL. Linux alone tells what
 * the server's process has used.
 */
const [rounds = 5, before = 0] = process.argv.slice(2).map(Number);
const entriesARound = 15_000;
const offers = 50;

const fill = async (db: Kysely<Schema>): Promise<void> => {
  await addAdvertiser(db, "advertiser", 1e15);
  for (let offer = 1; offer <= offers; offer += 1) {
    await addOffer(db, { id: `offer_${offer}`, advertiser: "advertiser", payoutMicros: 1000 });
  }
};

const any = (most: number): number => Math.floor(Math.random() * most);

/** A decision, an answer of three offers, two views, and a click for every fifth visitor: 4.2 entries a visit. */
function* traffic(): Generator<JournalEntry, never> {
  for (let at = Date.now(); ; at += 1) {
    const request = Buffer.concat([requestKeysSince(at).subarray(0, 5), randomBytes(7)]).toString(
      "base64url",
    );
    const country = ["DE", "US", "FR", "AT", "CH"][any(5)] ?? "DE";
    const visit = { ...visitOf("visit", { at, country, websiteId: 1 + any(40) }), request };
    const first = 1 + any(offers - 2);
    yield blocked(visit);
    yield served(visit, [first, first + 1, first + 2]);
    yield impression(visit, first);
    yield impression(visit, first + 2);
    const name = randomBytes(8).toString("hex");
    if (any(5) === 0) yield hop(visit, first, [], payerOf(name, name));
  }
}

/** What a process has used so far, in microseconds; the kernel counts it in hundredths of a second. */
const usedBy = (pid: number): number => {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10_000;
};

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const directory = mkdtempSync(join(tmpdir(), "offers-cost-"));
const server = await startPostgres();
try {
  await server.administer("create database cost");
  const url = server.url("cost");
  await migrateAt(url);
  const catalogue = openPostgres({ url, name: "cost" });
  await fill(catalogue);
  await catalogue.destroy();
  const client = await connect({ url, name: "cost", settings: writerSettings, pipeline: true });
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = rows[0]?.pid ?? 0;
  const postgres = writeOnPostgres(client);
  const file = openSqlite({ file: join(directory, "offers.sqlite"), durability: "full" });
  await migrate(file);
  await fill(file.db);
  const sqlite = writeOnSqlite(file.sqlite);
  const entries = traffic();
  const take = (count: number): JournalEntry[] => Array.from({ length: count }, () => entries.next().value);
  const record = async (batch: JournalEntry[]): Promise<void> => {
    const { written } = await postgres.write(batch, 0);
    if (written.failures[0] !== undefined) throw new Error(written.failures[0].message);
  };

  for (let events = 0; events < before; events += 500) await record(take(500));
  const sums = new Map<number, { node: number[]; server: number[]; sqlite: number[] }>();
  // The first round is not counted: nothing is compiled yet.
  for (let round = 0; round <= rounds; round += 1) {
    for (const size of [500, 50]) {
      const batches = Array.from({ length: Math.ceil(entriesARound / size) }, () => take(size));
      const count = batches.length * size;
      const [node, theirs] = [process.cpuUsage(), usedBy(pid)];
      for (const batch of batches) await record(batch);
      const used = process.cpuUsage(node);
      const theirsUsed = usedBy(pid) - theirs;
      const own = process.cpuUsage();
      for (const batch of batches) sqlite.write(batch, 0);
      const ownUsed = process.cpuUsage(own);
      const sum = sums.get(size) ?? { node: [], server: [], sqlite: [] };
      sums.set(size, sum);
      if (round === 0) continue;
      sum.node.push((used.user + used.system) / count);
      sum.server.push(theirsUsed / count);
      sum.sqlite.push((ownUsed.user + ownUsed.system) / count);
    }
  }
  console.log(
    `${server.version}, after ${before} events, medians of ${rounds} rounds, µs of processor time an entry`,
  );
  for (const [size, sum] of sums) {
    const [node, theirs, own] = [median(sum.node), median(sum.server), median(sum.sqlite)];
    const ratio = median(sum.node.map((one, at) => (one + (sum.server[at] ?? 0)) / (sum.sqlite[at] ?? 1)));
    console.log(
      `  batches of ${size}: node ${node.toFixed(1)} + server ${theirs.toFixed(1)}, SQLite ${own.toFixed(1)}: ${ratio.toFixed(2)} times`,
    );
  }
  await client.end();
  await file.db.destroy();
} finally {
  await server.remove();
  rmSync(directory, { recursive: true, force: true });
}
