import type { OfferLocales } from "@offers/contract/locales";
import { ar } from "./texts-ar.ts";
import { de } from "./texts-de.ts";
import { en } from "./texts-en.ts";
import { es } from "./texts-es.ts";
import { fr } from "./texts-fr.ts";
import { ja } from "./texts-ja.ts";

/** What an offer of the demo, by its id after `offer_`, says in the languages that its own texts are not in. */
export function demoLocalesOf(id: string): OfferLocales {
  return Object.fromEntries(
    Object.entries({ ar, de, en, es, fr, ja }).flatMap(([tag, texts]) => {
      const said = texts[id];
      if (said === undefined) return [];
      const [title, description, ctaText, disclosure, terms] = said;
      return [[tag, { title, description, ctaText, disclosure, terms }]];
    }),
  );
}
