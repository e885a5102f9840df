import { CannotWrite } from "../geo/replace-file.ts";
import { CatalogueUnavailable } from "./open-catalogue.ts";

/** What a command ends with where it failed by `error`: in one line where the file could not be written that it was for. */
export function unwritten(error: unknown): unknown {
  return error instanceof CannotWrite
    ? new CatalogueUnavailable(`${error.message}; nothing was changed`)
    : error;
}
