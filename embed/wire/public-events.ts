/** The events that a page can listen to with `on`. `withheld`: a blocked visitor gets no overlay, for the reason given. */
export type PublicEvent =
  | "decision"
  | "withheld"
  | "shown"
  | "impression"
  | "click"
  | "closed"
  | "error"
  | "session";

/** The members of an event; `website` is always one of them. */
export type Detail = { website: string; [member: string]: unknown };

/**
 * Tells an event to the page's listeners; an error of theirs does not reach the caller. `of` is the visit, or the declined
 * application, that it is an event of.
 */
export type Tell = (event: PublicEvent, detail: Detail, of?: object) => void;
