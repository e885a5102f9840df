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

/** A vertical is vulnerable when one of these is in its name, whatever it is written together with. */
const vulnerableStems = [
  ...[
    "gambl",
    "casino",
    "betting",
    "sportsbook",
    "bookmak",
    "wager",
    "poker",
    "bingo",
    "roulette",
    "blackjack",
  ],
  ...[
    "lotter",
    "lotto",
    "sweepstake",
    "igaming",
    "trading",
    "trader",
    "broker",
    "forex",
    "crypto",
    "bitcoin",
  ],
  ...["loan", "lending", "mortgage", "payday", "overdraft", "microcredit", "cashadvance", "bnpl"],
  ...["jackpot", "raffle", "baccarat", "scratchcard", "predictionmarket", "fantasysport", "parimutuel"],
  ...["horserace", "horseracing", "invest", "equit", "stockmarket", "stocktrad", "stocksand", "sharedealing"],
  ...["paylater", "refinanc", "financing", "instalment", "installment", "pawnshop", "broking", "pennystock"],
  ...["sportwette", "glucksspiel", "gluecksspiel", "apuesta", "loteri", "hipoteca", "prestamo", "inversion"],
  ...[
    "ratenkredit",
    "sofortkredit",
    "kreditkarte",
    "kreditvergleich",
    "darlehen",
    "aktien",
    "tarjetasdecredito",
  ],
  // What the words below are most often written together with.
  ...["sportsbet", "onlinebet", "freebet", "onlineslot", "videoslot", "slotmachine", "slotsgame", "slotgame"],
  ...["binaryoption", "cfdtrad", "cfdbroker", "fxtrad", "fxbroker"],
  ...["moneylend", "privatelender", "directlender", "creditcard", "creditline", "lineofcredit"],
  ...["consumercredit", "instantcredit", "onlinecredit", "moneyborrow"],
] as const;

/**
 * And when one of these stands between the hyphens and underscores of its name: within words they mean too much else, as in
 * blenders, accredited or alphabet (decisions.md#protective-reasons).
 */
const vulnerableWords: ReadonlySet<string> = new Set([
  ...["bet", "bets", "slots", "fx", "cfd", "cfds", "derivatives", "futures", "leverage", "binary"],
  ...["slot", "keno", "sweeps", "pawn", "option", "options", "swap", "swaps", "etf", "etfs", "nft", "nfts"],
  ...["share", "shares", "stock", "stocks", "bonds", "lender", "lenders", "credit", "credits", "borrowing"],
  ...[
    "finance",
    "finances",
    "debt",
    "debts",
    "heloc",
    "wette",
    "wetten",
    "kredit",
    "kredite",
    "credito",
    "creditos",
  ],
]);

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

function isVulnerable(vertical: string): boolean {
  const words = vertical.toLowerCase().split(/[^a-z]+/);
  const name = words.join("");
  return (
    words.some((word) => vulnerableWords.has(word)) || vulnerableStems.some((stem) => name.includes(stem))
  );
}

function oneSpelling(reason: string): string {
  return reason.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

function hashOf(vertical: string): number {
  return stableHash(vertical.toLowerCase());
}
