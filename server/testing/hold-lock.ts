import { openDatabase } from "../store/sqlite/database.ts";

/** A process of its own that keeps the write lock of a database file, as a long backup or a hung tool would. */
const [file = "", milliseconds = "0"] = process.argv.slice(2);
const { sqlite } = openDatabase({ file, durability: "relaxed" });

process.on("message", () => {
  sqlite.exec("begin immediate");
  process.send?.("held");
  setTimeout(() => {
    sqlite.exec("rollback");
    process.send?.("released");
    process.disconnect();
  }, Number(milliseconds));
});
