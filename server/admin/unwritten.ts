import type { CannotWrite } from "../replace-file.ts";
import { CatalogueUnavailable } from "./open-catalogue.ts";

/** What a command ends with, in one line, where the file could not be written that it was for. */
export function unwritten(error: CannotWrite): CatalogueUnavailable {
  return new CatalogueUnavailable(`${error.message}; nothing was changed`);
}
