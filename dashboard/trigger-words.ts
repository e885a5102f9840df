import type { Trigger } from "@offers/contract/words";

/** What it is called that opens the overlay. */
export const triggerWords: Readonly<Record<Trigger, string>> = {
  pause: "In the first pause",
  immediate: "At once",
  scroll: "After half a page",
  exit: "When the pointer leaves",
  click: "At a click",
  manual: "When the page says so",
};
