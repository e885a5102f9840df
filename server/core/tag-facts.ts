import type { PageFinding } from "./page-check.ts";
import type { RefusedCallCode } from "./refused-call.ts";
import type { HourOfLoads } from "./usual-loads.ts";

/** What is known of a website's tag, gathered where it is asked. */
export type TagFacts = {
  /** Milliseconds since the epoch, like every moment here. */
  now: number;
  /** When somebody began to wait for the tag. */
  waitingSince: number;
  websiteKey: string;
  publicKey: string;
  origins: readonly string[];
  isPaused: boolean;
  isDevelopment: boolean;
  /** Whether some visitor can meet the overlay at all. */
  blocksSomebody: boolean;
  hasSupportContact: boolean;
  /** Where the service should answer; null: it does. */
  silentAt: string | null;
  /** Null: the tag was never seen. */
  lastPing: { at: number; page: string; scriptVersion: string } | null;
  /** When a page loaded it last that was not told apart, since its hour had too many; null: none did. */
  othersAt: number | null;
  /** Of the two weeks before the last page. */
  loads: readonly HourOfLoads[];
  /** The version of the script that the service hands out. */
  currentScript: string;
  /** Calls for this website that were refused; `pub`: the wrong public key that was named. */
  refused: readonly { origin: string; code: RefusedCallCode; pub: string | null; at: number }[];
  /**
   * Calls from its own pages that named another website; null: one that there is not. `isOwn`: of the same publisher, for
   * nobody is told of another one's. `isShared`: the other website has the origin registered as well, so the call may be right.
   */
  elsewhere: readonly {
    website: { key: string; name: string; isOwn: boolean } | null;
    origin: string;
    at: number;
    isShared: boolean;
  }[];
  /** Active offers, and of those how many its allowlist permits. */
  offers: { active: number; permitted: number };
  /** Whether some place is blocked for which there is a permitted offer. */
  offersReachSomebody: boolean;
  /** Blocked places that are named one by one, in which no offer may be shown. */
  placesWithoutOffer: readonly string[];
  /** What the check of a page found; null: none was checked. */
  checkedPage: { url: string; findings: readonly PageFinding[] } | null;
};
