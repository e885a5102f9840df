import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Budget, nextCharge, takeCharge } from "../server/core/budget.ts";
import { createLearntRates } from "../server/core/click-rates.ts";
import { chooseOffers } from "../server/core/offer-choice.ts";
import { type PacedSpend, shareOfDay } from "../server/core/pacing.ts";
import { sampleCatalogue, sampleOffer, sampleWebsite } from "../server/core/sample-catalogue.ts";
import { seededRandom } from "../server/core/seeded-random.ts";
import { atLeast, atMost, type Check, printChecks, readNumbers } from "./checks.ts";

/** How visitors come over a day. */
type Demand = {
  name: string;
  /** Clicks that are to be had at an hour of the day (0 to 24, with fractions) as a multiple of the planned ones. */
  timesThePlan: (hour: number) => number;
  /** How long a visitor takes from the answer to the click, on average. */
  readingSeconds: number;
};

const demands: readonly Demand[] = [
  { name: "twice the plan at every hour", timesThePlan: () => 2, readingSeconds: 15 },
  {
    name: "twice the plan at night, eight times in the evening",
    timesThePlan: (hour) => 5 - 3 * Math.cos(((hour - 8) / 24) * 2 * Math.PI),
    readingSeconds: 15,
  },
  { name: "twenty times the plan, by slow readers", timesThePlan: () => 20, readingSeconds: 30 },
];

/** What was billed of one offer on one day. */
export type SimulatedDay = {
  demand: string;
  seed: number;
  /** Billed clicks of each hour as a share of the planned ones. */
  hours: number[];
  /** Of the day's budget. */
  spent: number;
};

/** The store tells a process so often what was committed. */
const pollMs = 500;
const dayMs = 86_400_000;
const polls = dayMs / pollMs;
const day = 20_000;
const clickRate = 0.5;
const priceMicros = 100_000;

/**
 * One UTC day of an offer whose budget is spread over it. Visitors come at random moments, are shown what the service's
 * own functions choose by what was billed until the last poll, and click a while later or not at all.
 */
function simulateDay(seed: number, demand: Demand, clicksAnHour: number): SimulatedDay {
  const random = seededRandom(seed);
  const dailyBudgetMicros = clicksAnHour * 24 * priceMicros;
  const shownTo = offersOf(dailyBudgetMicros, random);
  const budget = budgetOf(dailyBudgetMicros);
  const hours = Array.from({ length: 24 }, () => 0);
  const clicksAt = new Uint32Array(polls);
  let visitors = 0;
  let visitorsDue = 0;
  for (let poll = 0; poll < polls; poll += 1) {
    const hour = (poll * pollMs * 24) / dayMs;
    for (let click = clicksAt[poll] ?? 0; click > 0; click -= 1) {
      if (!takeCharge(budget, { micros: priceMicros, clicks: 1 })) continue;
      hours[Math.floor(hour)] = (hours[Math.floor(hour)] ?? 0) + 1 / clicksAnHour;
    }
    const visitorsAPoll = (demand.timesThePlan(hour) * clicksAnHour * pollMs) / 3_600_000 / clickRate;
    visitorsDue += visitorsAPoll * 2 * random();
    for (; visitorsDue >= 1; visitorsDue -= 1) {
      visitors += 1;
      if (!shownTo(`${seed} ${visitors}`, poll, budget) || random() >= clickRate) continue;
      const readingMs = -Math.log(1 - random()) * demand.readingSeconds * 1000;
      const due = poll + 1 + Math.floor(readingMs / pollMs);
      if (due < polls) clicksAt[due] = (clicksAt[due] ?? 0) + 1;
    }
  }
  return { demand: demand.name, seed, hours, spent: budget.day.micros / dailyBudgetMicros };
}

const budgetOf = (dailyBudgetMicros: number): Budget => {
  const nothing = () => ({ micros: 0, clicks: 0 });
  return {
    caps: { dailyBudgetMicros, totalBudgetMicros: null, dailyClickCap: null, totalClickCap: null },
    ...{ total: nothing(), day: nothing() },
    balance: { depositedMicros: Number.MAX_SAFE_INTEGER, spent: nothing() },
  };
};

/** Whether a request is shown the offer in question, beside which stands one that earns nothing. */
const offersOf = (dailyBudgetMicros: number, random: () => number) => {
  const even = sampleOffer({
    ...{ id: "offer_even", brand: "Even", pacing: "even", dailyBudgetMicros },
    payoutMicros: priceMicros,
  });
  const other = sampleOffer({ number: 2, id: "offer_other", brand: "Other", payoutMicros: 0 });
  const website = sampleWebsite();
  const catalogue = sampleCatalogue({ websites: [website], offers: [even, other] });
  const rates = createLearntRates();
  const price = nextCharge(even)?.micros ?? 0;
  return (request: string, poll: number, { caps, day: spent }: Budget): boolean => {
    const spentShare = shareOfDay(caps, spent) ?? 0;
    const spend: PacedSpend = { offer: even.number, day, spentShare, createdAt: 0 };
    const [shown] = chooseOffers({
      facts: { allowed: false, surface: "overlay", country: "DE", region: "", request },
      ...{ catalogue, rates, website, limit: 0 },
      hasBudget: (offer) => offer !== even.number || spent.micros + price <= dailyBudgetMicros,
      pacedSpend: (offer) => (offer === even.number ? spend : undefined),
      now: day * dayMs + (poll + random()) * pollMs,
    }).premium;
    return shown?.id === even.id;
  };
};

/** Every course of demand with the seeds 1, 2, 3 and so on. `clicks`: the planned ones of an hour. */
export function simulateDays({ runs, clicks }: { runs: number; clicks: number }): SimulatedDay[] {
  return demands.flatMap((demand) =>
    Array.from({ length: runs }, (_, at) => simulateDay(at + 1, demand, clicks)),
  );
}

/** The worst hours and days against the bars: within 10 % of the plan from the second hour on, 99 to 100 % spent. */
export function judgeDays(days: readonly SimulatedDay[]): Check[] {
  const percent = (share: number): number => Number((100 * share).toFixed(2));
  return demands.flatMap(({ name }) => {
    const some = days.filter(({ demand }) => demand === name);
    if (some.length === 0) return [];
    const later = some.flatMap(({ hours }) => hours.slice(1));
    const spent = some.map((one) => one.spent);
    return [
      atLeast(`${name}: clicks of the poorest hour, in percent of the plan`, percent(Math.min(...later)), 90),
      atMost(`${name}: of the richest hour`, percent(Math.max(...later)), 110),
      atLeast(`${name}: least spent in a day, in percent of the budget`, percent(Math.min(...spent)), 99),
      atMost(`${name}: most spent`, percent(Math.max(...spent)), 100),
    ];
  });
}

/** The first day of each course of demand as a picture: bars of its hours beside the plan. */
export function drawDays(days: readonly SimulatedDay[]): string {
  const [width, height, left, top, foot] = [720, 300, 56, 8, 76];
  const firsts = demands.flatMap(({ name }) => days.find(({ demand }) => demand === name) ?? []);
  const colours = ["#0a6e5c", "#2f5fa8", "#b04a1f"];
  const most = 1.15;
  const x = (hour: number): string => (left + (hour / 24) * (width - left - 24)).toFixed(1);
  const y = (share: number): number =>
    Math.round(top + (1 - Math.min(share, most) / most) * (height - top - foot));
  const marks = [0, 0.5, 0.9, 1, 1.1].map(
    (share) =>
      `<line x1="${x(0)}" x2="${x(24)}" y1="${y(share)}" y2="${y(share)}" stroke="${share === 1 ? "#444" : "#ccc"}"/>` +
      `<text x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${Math.round(100 * share)} %</text>`,
  );
  const bars = firsts.flatMap(({ hours }, at) =>
    hours.map(
      (share, hour) =>
        `<rect x="${x(hour + 0.14 + 0.24 * at)}" y="${y(share)}" width="6.2" height="${y(0) - y(share)}" fill="${colours[at]}"/>`,
    ),
  );
  const times = [0, 6, 12, 18, 24].map(
    (hour) => `<text x="${x(hour)}" y="${y(0) + 18}" text-anchor="middle">${hour}:00</text>`,
  );
  const legend = firsts.map(
    ({ demand }, at) =>
      `<rect x="${left}" y="${height - 50 + 16 * at}" width="10" height="10" fill="${colours[at]}"/>` +
      `<text x="${left + 16}" y="${height - 41 + 16 * at}">${demand}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img">
<title>Billed clicks of each hour of a UTC day in percent of the plan, for three courses of demand</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${[...bars, ...marks, ...times, ...legend].join("\n")}
</svg>
`;
}

if (import.meta.main) {
  const { draw, ...options } = readNumbers({ runs: 5, clicks: 1000, draw: 0 }, process.argv.slice(2));
  const days = simulateDays(options);
  for (const { demand, seed, hours, spent } of days) {
    const course = hours.map((share) => (100 * share).toFixed(1)).join(" ");
    console.log(`${demand}, ${seed}: ${(100 * spent).toFixed(2)} % spent; by the hour ${course}`);
  }
  if (draw > 0) await writeFile(join(import.meta.dirname, "../docs/pacing.svg"), drawDays(days));
  process.exitCode = printChecks("A day's budget, spread evenly", judgeDays(days));
}
