import { stableHash } from "./stable-hash.ts";

/**
 * What a visitor may not be shown, whatever the allowlist permits. Short enough to be sealed into a requestId:
 * names stand as 32-bit hashes. Two names with one hash would suppress too much, never too little.
 */
export type Suppression = {
  /** Every vertical of gambling, trading and loans, under whatever name. */
  vulnerable: boolean;
  /** Hashes of further verticals' names, ascending, at most `mostSuppressedNames`. */
  names: readonly number[];
};

/** A trigger may name so many verticals, says the contract. */
export const mostSuppressedNames = 20;

/** A vertical is vulnerable when one of these words stands between the hyphens and underscores of its name. */
const vulnerableWords: ReadonlySet<string> = new Set([
  ...["gambling", "gamble", "igaming", "casino", "casinos", "bet", "bets", "betting", "sportsbook"],
  ...[
    "sportsbooks",
    "bookmaker",
    "bookmakers",
    "poker",
    "bingo",
    "slots",
    "roulette",
    "lottery",
    "lotteries",
  ],
  ...["lotto", "wagering", "sweepstakes"],
  ...["trading", "trader", "traders", "brokerage", "forex", "fx", "cfd", "cfds", "crypto", "cryptocurrency"],
  ...["cryptocurrencies", "bitcoin", "derivatives", "futures", "leverage", "binary"],
  ...[
    "loan",
    "loans",
    "lending",
    "lender",
    "lenders",
    "credit",
    "credits",
    "borrowing",
    "payday",
    "overdraft",
  ],
  ...["mortgage", "mortgages", "microloan", "microloans", "microcredit", "bnpl"],
]);

/** Reasons that protect a visitor rather than state a decision, in their one spelling (decisions.md#protective-reasons). */
const protectiveReasons: ReadonlySet<string> = new Set(["self_excluded", "self_exclusion", "underage"]);

/**
 * What a trigger suppresses: the verticals that it names, and all vulnerable ones when its reason protects the
 * visitor. Null: nothing. A reason counts in any case and with any separator: `Self-Excluded` is meant as well.
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

function isVulnerable(vertical: string): boolean {
  return vertical
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => vulnerableWords.has(word));
}

function oneSpelling(reason: string): string {
  return reason
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
}

function hashOf(vertical: string): number {
  return stableHash(vertical.toLowerCase());
}
