import { type Scope, scopes } from "@offers/contract/words";
import { CatalogueRefusal } from "../store/catalogue/catalogue-refusal.ts";
import type { Given } from "./command.ts";

/** The scopes that were given, or all; throws a CatalogueRefusal for a word that is none. */
export function scopesOf({ scopes: named }: Given): readonly Scope[] {
  if (!Array.isArray(named)) return scopes;
  const unknown = named.find((scope) => !scopes.includes(scope));
  if (unknown === undefined) return named;
  const message = `there is no scope ${JSON.stringify(unknown)}, only ${scopes.join(", ")}`;
  throw new CatalogueRefusal([{ field: "scopes", message }]);
}
