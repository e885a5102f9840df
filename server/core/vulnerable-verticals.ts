import { mostNames } from "@offers/contract/catalogue";

/**
 * A vertical is vulnerable when one of these is in its name, whatever it is written together with: of English, and then of each
 * language in Latin letters that the widget speaks. The last ones are words of the list below as they are most often written
 * together with others.
 */
const vulnerableStems = wordsIn(`
  gambl casino betting sportsbook bookmak wager poker bingo roulette blackjack lotter lotto sweepstake
  igaming trading trader broker forex crypto bitcoin loan lending mortgage payday overdraft credit
  cashadvance bnpl jackpot raffle baccarat scratchcard predictionmarket fantasysport parimutuel horserace
  horseracing invest equit stockmarket stocktrad stocksand sharedealing paylater refinanc financing
  instalment installment pawnshop broking pennystock

  glucksspiel gluecksspiel spielautomat spielbank spielhalle spielothek sportwette wettanbieter wettschein
  buchmacher kredit darlehen hypothek finanzier ratenkauf ratenzahlung aktien wertpapier geldanlage krypto

  apuesta loteri tragaperras tragamonedas ruleta quiniela juegosdeazar prestamo hipoteca financiacion
  financiamiento inversion criptomoneda

  aposta apostar cassino loteca raspadinha jogosdeazar empresti consignado financiament criptomoed

  jeuxdargent jeuxdehasard machineasous machinesasous parissportif parisenligne parishippique turfiste
  emprunt hypothecaire financement pretperso pretsperso pretimmo pretauto pretetudiant pretconso pretrapide

  scommess azzardo totocalcio grattaevinci prestit finanziament quintodellostipendio criptovalut

  gokken gokkast gokspel weddenschap kansspel kraslot lening krediet hypotheek hypotheken belegg aandelen

  hazardow zakladybuk bukmach kasyn zdrapk pozyczk kredyt chwilowk hipotek inwest gielda gieldow kryptowalut

  sportsbet onlinebet freebet onlineslot videoslot slotmachine slotsgame slotgame binaryoption cfdtrad
  cfdbroker fxtrad fxbroker moneylend privatelender directlender moneyborrow
`);

/**
 * And when one of these stands between the hyphens and underscores of its name: within words they mean too much else, as in
 * blenders or alphabet (decisions.md#protective-reasons).
 */
const vulnerableWords: ReadonlySet<string> = new Set(
  wordsIn(`
  bet bets slots fx cfd cfds derivatives futures leverage binary slot keno sweeps pawn option options swap
  swaps etf etfs nft nfts share shares stock stocks bonds lender lenders borrowing finance finances debt
  debts heloc wette wetten boerse acciones azar acoes prets pret bourse tierce pmu mutuo mutui azioni lenen
  wedden hazard zaklady akcje
`),
);

/** How a word begins that tells of accreditation, in any of these languages: nothing is lent by that. */
const accreditation = /^a(?:c{1,2}redit|k{1,2}redit|kredyt)/;

/** Whether offers of a vertical are of gambling, trading or lending, by the words of its name. */
export function isVulnerable(vertical: string): boolean {
  const words = vertical.toLowerCase().split(/[^a-z]+/);
  const name = words.map((word) => word.replace(accreditation, "")).join("");
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
