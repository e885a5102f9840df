import { openDatabase } from "../store/sqlite/database.ts";

/**
 * A process of its own that keeps the write lock of a database file, as a long backup or a hung tool would: from the
 * first message until the second.
 */
const [file = ""] = process.argv.slice(2);
const { sqlite } = openDatabase({ file, durability: "relaxed" });

process.once("message", () => {
  sqlite.exec("begin immediate");
  process.once("message", () => {
    sqlite.exec("rollback");
    process.send?.("released");
    process.disconnect();
  });
  process.send?.("held");
});
