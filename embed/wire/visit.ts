import type { DecisionAnswer } from "@offers/contract/decision";
import type { Tell } from "./public-events.ts";
import type { SendEvent } from "./send-event.ts";

/** A location to simulate on a development website; `""` where none is named. */
export type SimulatedLocation = { country: string; region: string };

/**
 * What a publisher may set, by the names of a tag's `data-` attributes as scripts see them. What stands on
 * the tag are texts; `init` takes the same names.
 */
export type Options = Readonly<Record<string, unknown>>;

/** What a script tag says, together with where its script came from. */
export type LoaderTag = {
  /** The service's base URL, ending in a slash. */
  base: string;
  pub: string;
  website: string;
  mode: string;
  simulated: SimulatedLocation;
  /** Everything the publisher has set; an option that is not named above is read where it is used. */
  options: Options;
};

/** One website and mode on one page view. */
export type Visit = {
  tag: LoaderTag;
  /** Null until the service has answered. */
  decision: DecisionAnswer | null;
  /** The first answer to asking for offers, or null when there was none; unset until they are asked for. */
  offers?: Promise<Response | null>;
  send: SendEvent;
  tell: Tell;
  /** Aborted when whatever this visit put into the page is to go. What `open` brings afterwards has another. */
  closing: AbortController;
  /** The tag, after which a section without a container is drawn; null for a visit that only `init` named. */
  script: Element | null;
};
