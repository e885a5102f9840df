import type { KeptCheck } from "../../core/website-tag-health.ts";

/** What a check has found is told for so long; a page that loads the tag ends it earlier. */
const checkKeptMs = 60 * 60 * 1000;
/** Websites whose checks are remembered, at the most. */
const mostKept = 1000;

export type KeptChecks = {
  keep(websiteKey: string, check: KeptCheck): void;
  /** The last check of a website that may still be told at `now`. */
  find(websiteKey: string, now: number): KeptCheck | undefined;
};

/** Remembers the last check of each website. */
export function createKeptChecks(): KeptChecks {
  const checks = new Map<string, KeptCheck>();
  return {
    keep: (websiteKey, check) => {
      checks.delete(websiteKey);
      checks.set(websiteKey, check);
      const [oldest] = checks.keys();
      if (checks.size > mostKept && oldest !== undefined) checks.delete(oldest);
    },
    find: (websiteKey, now) => {
      const check = checks.get(websiteKey);
      return check && now - check.at < checkKeptMs ? check : undefined;
    },
  };
}
