import type { SendEvent } from "./send-event.ts";

/** A location to simulate on a development website; `""` where none is named. */
export type SimulatedLocation = { country: string; region: string };

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
};

/** What the loader hands to the overlay: the tag, the decision as it came over the wire, and its own sender. */
export type BlockedVisit = { tag: LoaderTag; decision: unknown; send: SendEvent };
