import { randomBytes } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/** Sixty bytes a row, under keys that begin with the time, on disk before it says so. */
const db = new Database((workerData as { file: string }).file);
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec("create table fact (request blob primary key, at integer, address text, cell integer) without rowid");
const insert = db.prepare("insert into fact values (?, ?, ?, ?)");
const insertAll = db.transaction((addresses: string[]) => {
  const at = Date.now();
  for (const address of addresses) {
    const request = randomBytes(12);
    request.writeUIntBE(at, 0, 6);
    insert.run(request, at, address, at % 40_000);
  }
});

parentPort?.on("message", (addresses: string[]) => {
  insertAll(addresses);
  parentPort?.postMessage(addresses.length);
});
