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
  /** `""` where the tag leaves it to the website's settings. */
  trigger: string;
  /** `""` where the tag leaves it to the website's settings and the page. */
  language: string;
  simulated: SimulatedLocation;
  /** Everything the publisher has set; what only the chunks know is read there. */
  options: Options;
};

/** One website and mode on one page view. */
export type Visit = {
  tag: LoaderTag;
  /** As it came over the wire; undefined until it has been made. */
  decision?: unknown;
  send: SendEvent;
  tell: Tell;
  /** Aborted when whatever this visit put into the page is to go. */
  closing: AbortController;
  /** While the overlay stands or is being fetched. */
  isOpen?: boolean;
  /** Where the tag stands; a section without a container of its own is drawn after it. */
  script?: Element | undefined;
};
