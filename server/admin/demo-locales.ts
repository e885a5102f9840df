import type { OfferLocales } from "@offers/contract/locales";
import { ar } from "./demo-texts-ar.ts";
import { de } from "./demo-texts-de.ts";
import { en } from "./demo-texts-en.ts";
import { es } from "./demo-texts-es.ts";
import { fr } from "./demo-texts-fr.ts";
import { ja } from "./demo-texts-ja.ts";

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
