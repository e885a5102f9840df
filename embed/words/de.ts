import type { Words } from "./words.ts";

export const words: Words = {
  titleCountry: "In Ihrem Land nicht verfügbar",
  titleRegion: "In Ihrer Region nicht verfügbar",
  titleUnknown: "Ihr Standort ist unbekannt",
  message: "Der Anbieter stellt diese Seite dort, wo Sie gerade sind, nicht bereit.",
  messageUnknown: "Diese Seite gibt es nur an bestimmten Orten, und Ihren konnten wir nicht bestimmen.",
  titleElsewhere: "Für Leser an anderen Orten gedacht",
  messageElsewhere: "Sie können diese Seite trotzdem lesen.",
  heading: "Stattdessen für Sie verfügbar",
  sponsored: "Anzeige",
  featured: "Bezahlte Platzierung",
  action: "Zum Angebot",
  newTab: "öffnet in neuem Tab",
  opened: "geöffnet",
  terms: "Bedingungen",
  commission:
    "Diese Angebote sind Werbung. Nutzen Sie eines davon, erhält der Anbieter dieser Seite unter Umständen eine Provision.",
  support: "Support kontaktieren",
  close: "Schließen",
  goOn: "Weiter zur Seite",
  back: "Zurück",
  headingSection: "Angebote für Sie",
  titleWaiting: "Einen Moment bitte",
  waiting: "Wir suchen nach etwas, das stattdessen zu Ihnen passt.",
  titleDeclined: "Andere Möglichkeiten für Sie",
  messageDeclined:
    "Ihr Antrag konnte hier nicht angenommen werden. Vielleicht passt eines dieser Angebote zu Ihnen.",
  ready: "Die Angebote sind da.",
  titleNothing: "Zurzeit keine anderen Angebote",
  nothing: "Im Moment können wir Ihnen nichts anderes anbieten.",
  titleFailed: "Das hat nicht geklappt",
  failed: "Die Angebote konnten nicht geladen werden. Bitte versuchen Sie es später noch einmal.",
  silent:
    "Der Dienst ist gerade nicht erreichbar. Sie können es noch einmal versuchen oder zur Seite weitergehen.",
  retry: "Noch einmal versuchen",
};
