import { z } from "zod";
import type { TagCauseCode } from "../words.ts";

/** What mends a cause at a press; `open`: a page of the dashboard where it is mended by hand. */
type MendingButton =
  | { kind: "register_origin"; origin: string }
  | { kind: "copy_tag" }
  | { kind: "copy_line"; line: string }
  | { kind: "check_page" }
  | { kind: "open"; page: "allowlist" | "places" | "settings" | "look" };

export type HealthCause = {
  code: TagCauseCode;
  /** What is the matter, and what to do, each as a sentence. */
  says: string;
  fix: string;
  button: MendingButton | null;
  /** Whether the tag does nothing for its visitors because of it. */
  isFatal: boolean;
};

export type HealthState = "live" | "waiting" | "broken";

/** Answer of GET …/health. Every moment in milliseconds since the epoch. */
export type HealthAnswer = {
  websiteKey: string;
  name: string;
  /** When this was found. */
  at: number;
  state: HealthState;
  causes: HealthCause[];
  lastPage: { at: number; page: string; host: string; scriptVersion: string } | null;
  /** How often the tag was loaded in each of the last 48 hours, the oldest first. */
  hours: number[];
  /** Each registered origin, with the last page of it that loaded the tag, */
  origins: { origin: string; lastPage: { at: number; page: string } | null }[];
  /** and each that is not registered and called in the last day. */
  refused: { origin: string; code: TagCauseCode; times: number; at: number }[];
  /** Where the service finds whoever asks, as it would any visitor. */
  you: { country: string; region: string };
};

/** Body of POST …/health/check-page; left out: the last page of a registered origin that loaded the tag, or the first origin's first page. */
export const pageToCheck = z.object({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
});

/** Answer of POST …/health/check-page: the health with what was found in it. */
export type CheckedPage = HealthAnswer & { checked: { url: string; findings: number } };

/** Body of POST …/health/register-origin. */
export const originToRegister = z.object({ origin: z.string().max(300) });

/** A row of GET …/attention. */
export type Attention = {
  websiteKey: string;
  name: string;
  code: TagCauseCode;
  says: string;
  fix: string;
  isFatal: boolean;
};

/** Answer of GET …/websites. */
export type WebsitesAnswer = {
  items: WebsiteRow[];
  /** Whose figures of before go on counting in the publisher's sums. A node of an older release does not say. */
  deleted?: { websiteKey: string; name: string }[];
};

/** A website that is there. */
export type WebsiteRow = {
  websiteKey: string;
  name: string;
  origins: readonly string[];
  vertical: string;
  development: boolean;
  paused: boolean;
  health: HealthState;
  /** How many causes there are to mend. */
  causes: number;
};
