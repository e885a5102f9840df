import type { Words } from "./words.ts";

export const words: Words = {
  titleCountry: "Niet beschikbaar in uw land",
  titleRegion: "Niet beschikbaar in uw regio",
  titleUnknown: "We weten niet waar u bent",
  message: "De uitgever biedt deze pagina niet aan op de plek waar u nu bent.",
  messageUnknown: "Deze pagina is alleen op bepaalde plekken te zien, en de uwe konden we niet bepalen.",
  heading: "Wel beschikbaar voor u",
  sponsored: "Advertentie",
  featured: "Uitgelicht",
  action: "Bekijk aanbod",
  newTab: "opent in een nieuw tabblad",
  opened: "geopend",
  terms: "Voorwaarden",
  commission:
    "Deze aanbiedingen zijn advertenties. De uitgever kan een commissie ontvangen als u er gebruik van maakt.",
  support: "Neem contact op",
  close: "Sluiten",
  headingSection: "Aanbiedingen voor u",
  titleWaiting: "Een ogenblik geduld",
  waiting: "We zoeken naar iets anders dat bij u past.",
  titleDeclined: "Andere mogelijkheden voor u",
  messageDeclined:
    "Uw aanvraag kon hier niet worden geaccepteerd. Misschien past een van deze aanbiedingen bij u.",
  ready: "De aanbiedingen staan klaar.",
  titleNothing: "Nu geen andere mogelijkheden",
  nothing: "Op dit moment kunnen we u niets anders aanbieden.",
  titleFailed: "Dat is niet gelukt",
  failed: "De aanbiedingen konden niet worden geladen. Probeer het later opnieuw.",
};
