/** What a page can hear of with `on`. */
export type PublicEvent = "decision" | "shown" | "impression" | "click" | "closed" | "error" | "session";

/** What an event says; `website` is always in it. */
export type Detail = { website: string; [member: string]: unknown };

/** Tells the page's listeners, who cannot disturb the one who tells. */
export type Tell = (event: PublicEvent, detail: Detail) => void;
