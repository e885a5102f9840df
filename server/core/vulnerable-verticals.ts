import { mostNames } from "@offers/contract/catalogue";

/**
 * A vertical is vulnerable when one of these is in its name, whatever it is written together with. The last ones are words of
 * the list below as they are most often written together with others.
 */
const vulnerableStems = wordsIn(`
  gambl casino betting sportsbook bookmak wager poker bingo roulette blackjack lotter lotto sweepstake
  igaming trading trader broker forex crypto bitcoin loan lending mortgage payday overdraft microcredit
  cashadvance bnpl jackpot raffle baccarat scratchcard predictionmarket fantasysport parimutuel horserace
  horseracing invest equit stockmarket stocktrad stocksand sharedealing paylater refinanc financing
  instalment installment pawnshop broking pennystock sportwette glucksspiel gluecksspiel apuesta loteri
  hipoteca prestamo inversion ratenkredit sofortkredit kreditkarte kreditvergleich darlehen aktien
  tarjetasdecredito sportsbet onlinebet freebet onlineslot videoslot slotmachine slotsgame slotgame
  binaryoption cfdtrad cfdbroker fxtrad fxbroker moneylend privatelender directlender creditcard
  creditline lineofcredit consumercredit instantcredit onlinecredit moneyborrow
`);

/**
 * And when one of these stands between the hyphens and underscores of its name: within words they mean too much else, as in
 * blenders, accredited or alphabet (decisions.md#protective-reasons).
 */
const vulnerableWords: ReadonlySet<string> = new Set(
  wordsIn(`
  bet bets slots fx cfd cfds derivatives futures leverage binary slot keno sweeps pawn option options swap
  swaps etf etfs nft nfts share shares stock stocks bonds lender lenders credit credits borrowing finance
  finances debt debts heloc wette wetten kredit kredite credito creditos
`),
);

/** Whether offers of a vertical are of gambling, trading or lending, by the words of its name. */
export function isVulnerable(vertical: string): boolean {
  const words = vertical.toLowerCase().split(/[^a-z]+/);
  const name = words.join("");
  return (
    words.some((word) => vulnerableWords.has(word)) || vulnerableStems.some((stem) => name.includes(stem))
  );
}

/** Blocked whether an offer has them yet or not. */
const plainNames = ["gambling", "loans", "trading"];

/**
 * The verticals that a new website does not show until somebody has thought about it: those of gambling, trading and loans,
 * by every name that one of these has (decisions.md#careful-allowlist). Sorted.
 */
export function carefulVerticals(verticals: Iterable<string>): string[] {
  const names = new Set([...plainNames, ...[...verticals].filter(isVulnerable).sort()]);
  return [...names].slice(0, mostNames).sort();
}

function wordsIn(text: string): string[] {
  return text.trim().split(/\s+/);
}
