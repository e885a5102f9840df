import type { Surface } from "@offers/contract/words";

/** Who came to a website of the demo in the past, and met something of ours there. */
export type DemoAudience = {
  website: string;
  surface: Surface;
  /** Of a day in the middle of the time. */
  visitsADay: number;
  /** Places as geo rules name them, and how many of a hundred visitors come from each. */
  places: readonly (readonly [place: string, weight: number])[];
  /** How the days differ, from Sunday to Saturday. */
  week: readonly number[];
  /** Days before today on which nearly nobody was counted, as when a page is published without its tag. */
  dip?: readonly number[];
  /** How long before now the last of them came; left out: just now. */
  silentMs?: number;
};

const minuteMs = 60_000;

/** News is read at work, and a magazine at the weekend. */
const workdays = [0.82, 1.06, 1.08, 1.1, 1.04, 1, 0.78] as const;
const weekends = [1.28, 0.92, 0.88, 0.9, 0.95, 1.02, 1.22] as const;
const officeHours = [0.45, 1.25, 1.2, 1.15, 1.15, 1.1, 0.6] as const;

/** Where the pages of Harbour Weekly are since this long ago, as far as the demo's story goes: on an address that nobody registered. */
export const movedToWww = {
  website: "ws_harbour",
  origin: "https://www.weekly.harbour.example",
  sinceMs: 35 * minuteMs,
  calls: 23,
} as const;

/** Of the demo's live websites, and a few visits of an author on a development one, which are test traffic. */
export const demoAudiences: readonly DemoAudience[] = [
  {
    website: "ws_journal",
    surface: "overlay",
    visitsADay: 36,
    places: [
      ["GB", 30],
      ["FR", 15],
      ["US-CA", 6],
      ["US-TX", 4],
      ["US-MA", 3],
      ["US-PA", 3],
      ["NL", 9],
      ["PL", 7],
      ["ES", 7],
      ["IT", 6],
      ["CA-ON", 4],
      ["SE", 4],
      ["IE", 2],
    ],
    week: workdays,
  },
  {
    website: "ws_journal",
    surface: "section",
    visitsADay: 8,
    places: [
      ["DE", 55],
      ["AT", 14],
      ["CH", 13],
      ["US-NJ", 8],
      ["US-NY", 10],
    ],
    week: workdays,
  },
  {
    website: "ws_courier",
    surface: "overlay",
    visitsADay: 16,
    places: [
      ["FR", 34],
      ["US-WA", 30],
      ["CA-QC", 24],
      ["US-ID", 12],
    ],
    week: workdays,
    dip: [33, 34],
  },
  {
    website: "ws_harbour",
    surface: "overlay",
    visitsADay: 20,
    places: [
      ["US-NY", 13],
      ["US-CA", 12],
      ["US-MA", 9],
      ["DE", 18],
      ["AU", 14],
      ["CA-ON", 12],
      ["FR", 9],
      ["NL", 7],
      ["ES", 6],
    ],
    week: weekends,
    silentMs: movedToWww.sinceMs,
  },
  {
    website: "ws_loan",
    surface: "decline",
    visitsADay: 7,
    places: [
      ["GB", 82],
      ["IE", 18],
    ],
    week: officeHours,
    silentMs: 7 * 60 * minuteMs,
  },
  {
    website: "ws_preview",
    surface: "overlay",
    visitsADay: 1.6,
    places: [
      ["GB", 60],
      ["FR", 40],
    ],
    week: officeHours,
  },
];

/** How many of a day's visits fall into each hour of the visitors' own clocks: few at night, most at noon and in the evening. */
export const hoursOfDay: readonly (readonly [hour: number, weight: number])[] = [
  1.4, 0.8, 0.5, 0.4, 0.5, 1, 2.2, 3.8, 4.8, 5, 4.9, 5.2, 6.2, 5.8, 4.8, 4.6, 4.8, 5.2, 5.8, 6.6, 7.2, 6.8,
  4.8, 2.8,
].map((weight, hour) => [hour, weight]);

/** Hours that the clocks of a country are ahead of UTC, about. */
export function hoursAhead(country: string): number {
  return aheadOf[country] ?? 1;
}

const aheadOf: Readonly<Record<string, number>> = { GB: 0, IE: 0, US: -6, CA: -5, AU: 10 };
