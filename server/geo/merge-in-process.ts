import { CannotWrite } from "../replace-file.ts";
import { mergeDatabase } from "./merge-database.ts";
import { unusable } from "./merge-exit.ts";
import { openGeo } from "./open-geo.ts";

/** Lays the database of the first argument on the ranges of the third, into the file of the second. A process of its own. */
const [database = "", target = "", bundled = ""] = process.argv.slice(2);
try {
  await mergeDatabase(database, target, openGeo(bundled));
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  // The system's refusals say nothing of the database.
  const isOfSystem = error instanceof CannotWrite || (error instanceof Error && "code" in error);
  process.exitCode = isOfSystem ? 1 : unusable;
}
