import type { Words } from "./words.ts";

export const en: Words = {
  titleCountry: "Not available in your country",
  titleRegion: "Not available in your region",
  titleUnknown: "We can’t tell where you are",
  message: "The publisher doesn’t offer this page where you are right now.",
  messageUnknown: "This page is offered in certain places only, and we couldn’t determine yours.",
  heading: "Available to you instead",
  sponsored: "Sponsored",
  featured: "Featured",
  action: "View offer",
  newTab: "opens in a new tab",
  terms: "Terms and conditions",
  commission: "These offers are advertisements. The publisher may earn a commission if you use them.",
  support: "Contact support",
  close: "Close",
};
