import { spelledTag } from "@offers/contract/language-tag";
import { offerTexts } from "@offers/contract/words";
import { CatalogueRefusal } from "../store/catalogue/catalogue-refusal.ts";
import { type Given, type Option, optionalTextOf, UsageError } from "./command.ts";

export const localeOption: Option = {
  name: "locale",
  kind: "text",
  field: "locale",
  hint: "TAG",
  help: "the texts that are given are those in this language, such as de or pt-BR; an empty one is taken out",
};

/**
 * The changes as members of an offer: with a locale, the texts stand within it, and an empty one is to go. Throws for a
 * locale that is none, and for one without any text.
 */
export function changesInLocale(changes: Given): Given {
  const given = optionalTextOf(changes, "locale");
  if (given === undefined) return changes;
  const tag = spelledTag(given);
  if (tag === null) {
    const message = `must be a language tag such as de or pt-BR (given: ${JSON.stringify(given)})`;
    throw new CatalogueRefusal([{ field: "locale", message }]);
  }
  const said = offerTexts.filter((name) => changes[name] !== undefined);
  if (said.length === 0) throw new UsageError(["--locale: give a text in it as well, such as --title"]);
  const { locale: _, ...others } = changes;
  const beside = Object.entries(others).filter(([name]) => !said.some((text) => text === name));
  const texts = Object.fromEntries(said.map((name) => [name, changes[name] === "" ? null : changes[name]]));
  return { ...Object.fromEntries(beside), locales: { [tag]: texts } };
}

/** A refusal of a text in a locale under the option that gave it. */
export function refusedInLocale(error: unknown): unknown {
  if (!(error instanceof CatalogueRefusal)) return error;
  return new CatalogueRefusal(
    error.problems.map(({ field, message }) => ({ field: field.replace(/^locales\.[^.]+\./, ""), message })),
  );
}
