import { formatPlace } from "./format.ts";

/** ISO 3166-1 alpha-2, and Kosovo's XK. */
export const countryCodes: readonly string[] = (
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
  "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
  "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
  "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT " +
  "MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
  "SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG " +
  "UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW"
).split(" ");

/** What others write for these countries, and what people type. */
const alsoCalled: Readonly<Record<string, string>> = {
  uk: "GB",
  "great britain": "GB",
  england: "GB",
  el: "GR",
  usa: "US",
  america: "US",
  holland: "NL",
};

let byName: ReadonlyMap<string, string> | null = null;

/** The places that a text means: codes, names, or `US-NJ` for a region; several with commas between them. */
export function readPlaces(text: string): { chips: string[] } | { wrong: string } {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
  const chips = words.map(placeMeant);
  const at = chips.indexOf(null);
  if (at >= 0) return { wrong: `${words[at]} is no country or region: write DE, Germany, or US-NJ.` };
  return { chips: chips.filter((chip) => chip !== null) };
}

/** What an entry of a rule is called: `Germany`, or `New Jersey`'s code behind its country. */
export function placeName(entry: string): string {
  if (entry === "*") return "Everywhere else";
  const [country = "", region] = entry.split("-");
  return formatPlace(country, region === undefined ? null : entry);
}

/** To be proposed while somebody types. */
export function placeProposals(): { value: string; says: string }[] {
  return countryCodes.map((code) => ({ value: formatPlace(code), says: code }));
}

const placeMeant = (word: string): string | null => {
  const upper = word.toUpperCase();
  const own = alsoCalled[word.toLowerCase()];
  if (own !== undefined) return own;
  if (countryCodes.includes(upper)) return upper;
  if (/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(upper) && countryCodes.includes(upper.slice(0, 2))) return upper;
  byName ??= new Map(countryCodes.map((code) => [formatPlace(code).toLowerCase(), code]));
  return byName.get(word.toLowerCase()) ?? null;
};
