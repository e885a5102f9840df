import { stableHash } from "./stable-hash.ts";
import { isVulnerable } from "./vulnerable-verticals.ts";

/**
 * What a visitor may not be shown, whatever the allowlist permits. Short enough to be sealed into a requestId:
 * names stand as 32-bit hashes. Two names with one hash would suppress too much, never too little.
 */
export type Suppression = {
  /** Every vertical of gambling, trading and loans, under whatever name. */
  vulnerable: boolean;
  /** Hashes of further verticals' names, ascending, at most `mostSuppressed`. */
  names: readonly number[];
};

/** Reasons that protect a visitor rather than state a decision, in their one spelling (decisions.md#protective-reasons). */
const protectiveReasons: ReadonlySet<string> = new Set(["selfexcluded", "selfexclusion", "underage"]);

/**
 * What a trigger suppresses: the verticals that it names, and all vulnerable ones when its reason protects the
 * visitor. Null: nothing. A reason counts in any case and with any separator or none: `Self-Excluded` and `selfExcluded` are meant as well.
 */
export function suppressionOf(trigger: {
  reason: string | null;
  verticals: readonly string[];
}): Suppression | null {
  const vulnerable = trigger.reason !== null && protectiveReasons.has(oneSpelling(trigger.reason));
  const names = [...new Set(trigger.verticals.map(hashOf))].sort((one, other) => one - other);
  return vulnerable || names.length > 0 ? { vulnerable, names } : null;
}

/** Whether an offer of this vertical is withheld. */
export function isSuppressed(suppression: Suppression | null | undefined, vertical: string): boolean {
  if (!suppression) return false;
  return (suppression.vulnerable && isVulnerable(vertical)) || suppression.names.includes(hashOf(vertical));
}

function oneSpelling(reason: string): string {
  return reason.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

function hashOf(vertical: string): number {
  return stableHash(vertical.toLowerCase());
}
