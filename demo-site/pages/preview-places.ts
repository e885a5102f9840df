export type Place = { code: string; name: string };
type CountryRegions = { country: Place; regions: readonly Place[] };
export type Preset = {
  label: string;
  country: string;
  region: string;
  expected: "allowed" | "blocked" | "real";
};

const names = new Intl.DisplayNames(["en"], { type: "region" });
const byName = new Intl.Collator("en");

// ISO 3166-1, all assigned codes.
const countryCodes =
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK
FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE
JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ
MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO
RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW
TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/);

/** Every country, by its English name. */
export const countries: readonly Place[] = countryCodes
  .map((code) => ({ code, name: names.of(code) ?? code }))
  .sort((one, other) => byName.compare(one.name, other.name));

const regionNames = {
  US: `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
    DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas,
    KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi,
    MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York,
    NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island,
    SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington,
    WV West Virginia, WI Wisconsin, WY Wyoming`,
  CA: `AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador,
    NT Northwest Territories, NS Nova Scotia, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec,
    SK Saskatchewan, YT Yukon`,
  GB: "ENG England, NIR Northern Ireland, SCT Scotland, WLS Wales",
  DE: `BW Baden-Württemberg, BY Bavaria, BE Berlin, BB Brandenburg, HB Bremen, HH Hamburg, HE Hesse,
    MV Mecklenburg-Vorpommern, NI Lower Saxony, NW North Rhine-Westphalia, RP Rhineland-Palatinate, SL Saarland,
    SN Saxony, ST Saxony-Anhalt, SH Schleswig-Holstein, TH Thuringia`,
  AU: `ACT Australian Capital Territory, NSW New South Wales, NT Northern Territory, QLD Queensland,
    SA South Australia, TAS Tasmania, VIC Victoria, WA Western Australia`,
} satisfies Record<string, string>;

/** ISO 3166-2 subdivisions, as full codes such as `US-NJ`, of the countries whose rules tend to differ by region. */
export const regionsByCountry: readonly CountryRegions[] = Object.entries(regionNames).map(
  ([country, list]) => ({
    country: { code: country, name: names.of(country) ?? country },
    regions: list.split(/,\s+/).map((entry) => ({
      code: `${country}-${entry.slice(0, entry.indexOf(" "))}`,
      name: entry.slice(entry.indexOf(" ") + 1),
    })),
  }),
);
