/**
 * Codes that ISO 3166-2 has withdrawn, each with the code of the same place today; the changes are those of ISO's
 * newsletters and of its Online Browsing Platform. A place that was divided stands with the part where most people
 * live, and `divided` below names the towns of the other parts. A code of a place that has no heir is not here.
 */
const heirs: Readonly<Record<string, string>> = {
  // 2018-11-26: numbers in place of letters.
  PL: "DS:02 KP:04 LU:06 LB:08 LD:10 MA:12 MZ:14 OP:16 PK:18 PD:20 PM:22 SL:24 SK:26 WN:28 WP:30 ZP:32",
  // 2020-01-01 and 2024-01-01: the counties were joined, and three of them divided again.
  NO: "01:31 02:32 04:34 05:34 06:33 07:39 08:40 09:42 10:42 12:46 14:46 16:50 17:50 19:55 20:56 23:50",
  // 2019-11-22: as the provinces call themselves.
  ZA: "GT:GP NL:KZN",
  // 2022-06: numbers, and three new regions.
  KZ: "AKM:11 AKT:15 ALM:19 ATY:23 ZAP:27 ZHA:31 KAR:35 KUS:39 KZY:43 MAN:47 PAV:55 SEV:59 YUZ:61 VOS:63 AST:71 ALA:75 SHY:79 BAY:43",
  // 2019-11: the municipalities by statistical region.
  MK:
    "01:801 02:802 03:201 04:501 05:401 06:601 07:402 08:602 09:803 10:403 11:404 12:301 13:101 14:202 16:603 " +
    "17:804 18:405 19:604 20:102 21:303 22:304 23:203 24:103 25:502 26:406 27:503 29:805 30:605 32:806 33:204 " +
    "34:807 35:606 36:104 37:205 38:808 39:809 40:307 41:407 42:206 43:701 44:702 45:504 46:505 47:703 48:704 " +
    "49:105 50:607 51:207 52:308 53:506 54:106 55:507 56:408 58:310 59:810 60:208 61:311 62:508 63:209 64:409 " +
    "65:705 66:509 67:107 69:108 70:211 71:312 72:410 76:609 81:210",
  // 2018: provinces in place of development regions. Each of these is the province of its largest towns.
  NP: "1:P3 2:P5 3:P4 4:P1 5:P7",
  // 2021: numbers in place of letters.
  GT: "GU:01 PR:02 SA:03 CM:04 ES:05 SR:06 SO:07 TO:08 QZ:09 SU:10 RE:11 SM:12 HU:13 QC:14 BV:15 AV:16 PE:17 IZ:18 ZA:19 CQ:20 JA:21 JU:22",
  // 2017: the counties within their new borders.
  EE: "44:45 49:50 51:52 57:56 59:60 65:64 67:68 70:71 78:79 82:81 86:87",
  // 2021: small municipalities were joined to their neighbours.
  LV:
    "001:073 003:112 004:042 005:054 006:050 008:022 009:094 010:026 012:062 013:052 014:015 017:113 018:088 " +
    "019:113 020:011 021:059 023:058 024:047 025:111 027:097 028:112 029:099 030:059 031:080 032:112 034:016 035:067 036:111 " +
    "037:091 038:002 039:022 040:099 043:099 044:058 045:113 046:002 048:091 051:067 053:067 055:022 057:059 " +
    "060:113 061:091 063:097 064:113 065:002 066:112 069:041 070:022 071:112 072:002 074:112 075:022 076:094 078:073 " +
    "079:097 081:112 082:015 083:016 084:113 085:042 086:054 090:089 092:002 093:050 095:080 096:113 098:026 100:112 103:073 104:022 105:016 " +
    "107:042 108:015 109:077 110:058 VMR:113",
  // 2020 and 2023: a union of two territories, and codes after today's names.
  IN: "CT:CG DD:DH DN:DH OR:OD TG:TS UT:UK",
  FR: "COR:20R 75:75C",
};

/** Towns of a divided place that are not in the part which its heir stands for. */
const divided: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "KZ-ALM": { Taldykorgan: "33" },
  "KZ-VOS": { Semey: "10" },
  "NP-1": { Chandranigahpur: "P2", Lalbandi: "P2", "Janakpur Dham": "P2" },
  "NP-2": { Surkhet: "P6", Dailekh: "P6", Birendranagar: "P6" },
  "NP-3": { Butwal: "P5", Siddharthanagar: "P5" },
};

const heirOf: ReadonlyMap<string, string> = new Map(
  Object.entries(heirs).flatMap(([country, pairs]) =>
    pairs.split(" ").map((pair): [string, string] => {
      const [former = "", heir = ""] = pair.split(":");
      return [`${country}-${former}`, heir];
    }),
  ),
);

/**
 * The bare code that a withdrawn one has today, such as `14` for `PL-MZ`; `""` when it is not known to have been one.
 * @param city the town that the data names, which tells the parts of a divided place apart.
 */
export function heirOfRegion(former: string, city = ""): string {
  return divided[former]?.[city] ?? heirOf.get(former) ?? "";
}

/** Every withdrawn code that has an heir. */
export function formerRegions(): Iterable<string> {
  return heirOf.keys();
}
