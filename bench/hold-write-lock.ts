import Database from "better-sqlite3";

/** `node bench/hold-write-lock.ts FILE MS`: another process that has the database to itself for a while. */
const [file, milliseconds] = process.argv.slice(2);
if (file === undefined) throw new Error("name the database file");

const db = new Database(file, { fileMustExist: true, timeout: 5000 });
db.exec("begin immediate");
console.log("held");
setTimeout(() => {
  db.exec("rollback");
  db.close();
  console.log("released");
}, Number(milliseconds));
