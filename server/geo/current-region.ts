import { createRequire } from "node:module";
import { formerRegions, heirOfRegion } from "./former-regions.ts";
import { isPart, isRegion, regionsOfToday } from "./iso-codes.ts";

/** CLDR's English names, `deby` as key; the package is data alone. */
type EnglishNames = { subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } } };

/** Finds the bare ISO 3166-2 code of today for what a data set calls a region: a code, a former code or a name. */
export type RegionReader = (country: string, region: string, city?: string) => string;

/**
 * Prepares the reading of regions. Made once for a merge: the lists of names take some megabytes, which the running
 * service has no use for.
 */
export function createRegionReader(): RegionReader {
  const named = codesByName();
  return (country, region, city) => {
    if (region === "") return "";
    const bare = region.toUpperCase().startsWith(`${country}-`) ? region.slice(3) : region;
    if (isRegion(`${country}-${bare.toUpperCase()}`)) return bare.toUpperCase();
    const heir = heirOfRegion(`${country}-${bare}`, city);
    return (
      heir || (named.get(`${country} ${plain(region)}`) ?? named.get(`${country} ${core(region)}`) ?? "")
    );
  };
}

/**
 * Codes by country and name: ISO's own names, the English ones of CLDR, those of withdrawn codes, and what databases
 * write besides. Of a region and a part of it that share a name, it is the region's; a name that two others share is
 * nobody's. A whole name goes before one without its kind of region.
 */
function codesByName(): ReadonlyMap<string, string> {
  const english = englishNames();
  const known = new Map<string, string>();
  for (const reading of [plain, core]) {
    const found = new Map<string, string>();
    const shared = new Set<string>();
    for (const [code, name] of wholeBeforeParts()) {
      const country = code.slice(0, 2);
      const names = new Set([...variants(name), ...variants(english(code))].map(reading));
      for (const key of [...names].filter(Boolean).map((text) => `${country} ${text}`)) {
        if (!found.has(key)) found.set(key, code);
        else if (found.get(key) !== code && !isPart(code)) shared.add(key);
      }
    }
    for (const [key, code] of found) if (!known.has(key) && !shared.has(key)) known.set(key, code.slice(3));
  }
  for (const former of formerRegions()) {
    const [country, heir] = [former.slice(0, 2), heirOfRegion(former)];
    for (const name of variants(english(former)).flatMap((text) => [plain(text), core(text)])) {
      if (!known.has(`${country} ${name}`)) known.set(`${country} ${name}`, heir);
    }
  }
  for (const [country, names] of Object.entries(otherNames)) {
    for (const [name, code] of Object.entries(names)) known.set(`${country} ${plain(name)}`, code);
  }
  return known;
}

/** CLDR's names by code, `""` for one that it does not have. */
function englishNames(): (code: string) => string {
  const require = createRequire(import.meta.url);
  const file: EnglishNames = require("cldr-subdivisions-full/subdivisions/en/en.json");
  const names = file.subdivisions.localeDisplayNames.subdivisions;
  return (code) => names[code.toLowerCase().replace("-", "")] ?? "";
}

const wholeBeforeParts = (): [string, string][] =>
  [...regionsOfToday()].sort(([one], [other]) => Number(isPart(one)) - Number(isPart(other)));

/** What databases write and neither list has; and names of two regions, of which databases mean one. */
const otherNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AR: { "Buenos Aires": "B", "Buenos Aires F.D.": "C" },
  AT: { "State of Vienna": "9", "State of Salzburg": "5" },
  CH: { "Saint Gallen": "SG", "Saint Gall": "SG", "Basel-City": "BS", Grisons: "GR" },
  CN: { "Inner Mongolia": "NM", Tibet: "XZ" },
  CO: { "Bogota D.C.": "DC" },
  CZ: {
    "South Moravian": "64",
    "Moravian-Silesian Region": "80",
    "Central Bohemia": "20",
    "Hlavni mesto Praha": "10",
  },
  DK: { "Central Jutland": "82", "South Denmark": "83", "North Denmark": "81" },
  ES: {
    Madrid: "MD",
    "Castille and Leon": "CL",
    "Castille-La Mancha": "CM",
    Murcia: "MC",
    Navarre: "NC",
    Asturias: "AS",
  },
  FR: {
    Normandy: "NOR",
    "New Aquitaine": "NAQ",
    Corsica: "20R",
    "Rhone-Alpes": "ARA",
    Bourgogne: "BFC",
    Provence: "PAC",
  },
  IN: { "National Capital Territory of Delhi": "DL" },
  IT: { "The Marches": "57" },
  BY: { "Minsk City": "HM" },
  DE: { "Free and Hanseatic City of Hamburg": "HH" },
  IR: { Tehran: "23" },
  KR: { Gwangju: "29", "Gangwon-do": "42", "Sejong-si": "50", "Jeju-do": "49" },
  KZ: { Almaty: "75", "Almaty Region": "19", "Almaty Oblysy": "19", "Zhetysu Region": "33", Karaganda: "35" },
  MX: { "Mexico City": "CMX", "Estado de Mexico": "MEX" },
  PE: { "Lima Province": "LMA" },
  PL: { Podlasie: "20", Mazovia: "14" },
  RS: { Belgrade: "00" },
  RU: {
    "St.-Petersburg": "SPE",
    Primorye: "PRI",
    "Khanty-Mansia": "KHM",
    Moscow: "MOW",
    "Moscow Oblast": "MOS",
  },
  SA: { "Mecca Region": "02", "Medina Region": "03" },
  UA: { Kyiv: "32", "Kyiv City": "30", "Sebastopol City": "40", Lviv: "46", Odesa: "51" },
  VN: { "Ho Chi Minh": "SG", "Ho Chi Minh City (HCMC)": "SG" },
};

/** `Hà Nội (thủ đô)` and `Araba/Álava` are names with and without what is added, and each of two languages. */
function variants(name: string): string[] {
  const bare = name.replace(/\s*[([].*$/, "").replace(/\*$/, "");
  return [name, bare, ...bare.split("/"), ...bare.split(/, /).slice(0, 1)];
}

/** Letters and digits alone, without accents, in lower case. */
function plain(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[łøđıßæœþðəħ]/g, (letter) => foreign[letter] ?? letter)
    .replace(/[^a-z0-9]/g, "");
}

const foreign: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ı: "i",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ð: "d",
  ə: "a",
  ħ: "h",
};

/** The name without the word for its kind of region, which one list writes and another leaves out. */
function core(name: string): string {
  return plain(name.replace(kinds, " "));
}

const kinds =
  /(?<!\p{L})(?:province|provincia|state|region|regional|county|oblast['’ʼ]?|oblysy|oblisi|governorate|urban|municipality|district|voivodeship|krai|kray|republic|respublika|department|departamento|prefecture|canton|parish|free|hanseatic|city|emirate|autonomous|special|capital|territory|principality|raion|rajons|novads|kraj|maakond|apskritis|viloyati|sheng|shi|pradesh|of|the|de|del)(?!\p{L})/giu;
