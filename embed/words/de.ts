import type { Words } from "./words.ts";

export const words: Words = {
  titleCountry: "In Ihrem Land nicht verfügbar",
  titleRegion: "In Ihrer Region nicht verfügbar",
  titleUnknown: "Ihr Standort ist unbekannt",
  message: "Der Anbieter stellt diese Seite dort, wo Sie gerade sind, nicht bereit.",
  messageUnknown: "Diese Seite gibt es nur an bestimmten Orten, und Ihren konnten wir nicht bestimmen.",
  heading: "Stattdessen für Sie verfügbar",
  sponsored: "Anzeige",
  featured: "Empfohlen",
  action: "Zum Angebot",
  newTab: "öffnet in neuem Tab",
  terms: "Bedingungen",
  commission:
    "Diese Angebote sind Werbung. Nutzen Sie eines davon, erhält der Anbieter dieser Seite unter Umständen eine Provision.",
  support: "Support kontaktieren",
  close: "Schließen",
};
