import type { Location } from "@offers/contract/location";
import type { Offer, Website } from "../core/catalogue.ts";
import type { Catalogue } from "../core/compiled-catalogue.ts";
import type { JournalEntry } from "../core/journal-entry.ts";
import { websiteSubject } from "../core/refused-call.ts";
import { dayNumber, hourMs, hoursInDay, startOfDay } from "../core/utc-day.ts";
import { type DemoAudience, demoAudiences, hoursAhead, hoursOfDay, movedToWww } from "./audiences.ts";
import { createDemoPast } from "./past.ts";
import { createRandom, type Random } from "./random.ts";
import { demoVisit } from "./visit.ts";

/** UTC days, today's among them: the longest range of a dashboard, and what is kept event by event. */
export const demoTrafficDays = 90;

const minuteMs = 60_000;
/** For how long back it is told hour by hour which pages loaded the tag. */
const pingedHours = 72;
/** Visitors are more by half at the end than they were at the beginning. */
const growth = { from: 0.78, to: 1.2 } as const;
const dipTo = 0.18;

/** When the demo's past begins, in milliseconds since the epoch. */
export function demoTrafficStart(now: number): number {
  return startOfDay(dayNumber(now) - demoTrafficDays + 1);
}

/**
 * What the journal would have been handed in the 90 days until `now` (milliseconds since the epoch), in the order of the
 * visits: the same for the same catalogue and moment.
 */
export function demoTraffic({
  catalogue,
  offers,
  now,
}: {
  catalogue: Catalogue;
  offers: readonly Offer[];
  now: number;
}): JournalEntry[] {
  const first = dayNumber(demoTrafficStart(now));
  const past = createDemoPast(offers);
  const entries: JournalEntry[] = [];
  for (let nth = 0; nth < demoTrafficDays; nth += 1) {
    const day = first + nth;
    const random = createRandom(day);
    for (const { audience, location, at } of visitsOf(day, { nth, now, random })) {
      const website = websiteOf(catalogue, audience.website);
      const visitor = { website, surface: audience.surface, location, at };
      entries.push(...demoVisit(visitor, { catalogue, past, random }));
    }
    past.learn(nth + 1);
  }
  return [...entries, ...demoTagCalls({ catalogue, now })];
}

type Arrival = { audience: DemoAudience; location: Location; at: number };

const visitsOf = (
  day: number,
  { nth, now, random }: { nth: number; now: number; random: Random },
): Arrival[] => {
  const begin = startOfDay(day);
  const arrivals: Arrival[] = [];
  for (const audience of demoAudiences) {
    const expected = visitorsOn(day, nth, audience) * random.between(0.88, 1.12);
    const visitors = Math.floor(expected + random.between(0, 1));
    for (let visitor = 0; visitor < visitors; visitor += 1) {
      const location = locationOf(random.pick(audience.places));
      const hour = (random.pick(hoursOfDay) - hoursAhead(location.country) + hoursInDay) % hoursInDay;
      const at = begin + Math.floor(hour * hourMs + random.between(0, hourMs));
      arrivals.push({ audience, location, at });
    }
  }
  return arrivals
    .filter(({ audience, at }) => at < now - (audience.silentMs ?? 2 * minuteMs))
    .sort((one, other) => one.at - other.at);
};

const visitorsOn = (day: number, nth: number, { visitsADay, week, dip = [] }: DemoAudience): number => {
  const grown = growth.from + ((growth.to - growth.from) * nth) / (demoTrafficDays - 1);
  const ofWeekday = week[new Date(startOfDay(day)).getUTCDay()] ?? 1;
  const isDip = dip.includes(demoTrafficDays - 1 - nth);
  return visitsADay * grown * ofWeekday * (isDip ? dipTo : 1);
};

/** Which pages loaded the tag lately, and whose calls were refused because nobody has registered their address. */
const demoTagCalls = ({ catalogue, now }: { catalogue: Catalogue; now: number }): JournalEntry[] => {
  const random = createRandom(dayNumber(now));
  const silentOf = new Map(demoAudiences.map(({ website, silentMs }) => [website, silentMs ?? 2 * minuteMs]));
  const pings = [...silentOf].flatMap(([key, silentMs]) => {
    const website = websiteOf(catalogue, key);
    // An author looks at a development website once, not all the time.
    const hours = website.development ? [30] : Array.from({ length: pingedHours }, (_, hour) => hour);
    return hours.map((hour): JournalEntry => {
      const at = Math.floor(now - silentMs - hour * hourMs - random.between(0, 20 * minuteMs));
      return {
        kind: "snippet_ping",
        websiteId: website.id,
        ...pageOf(website),
        scriptVersion: "",
        surface: "overlay",
        at,
      };
    });
  });
  const { website, origin, sinceMs, calls } = movedToWww;
  const refused = {
    subject: websiteSubject(websiteOf(catalogue, website).id),
    code: "origin_not_registered" as const,
    detail: origin,
  };
  const last = { kind: "calls_refused" as const, ...refused, at: Math.floor(now - sinceMs / 10), calls };
  return [...pings, last];
};

const websiteOf = (catalogue: Catalogue, key: string): Website => {
  const website = catalogue.website(key);
  if (website === undefined) throw new RangeError(`the demo has no website ${key}`);
  return website;
};

const pageOf = ({ origins }: Website): { host: string; url: string } => {
  const own = origins.find((origin) => origin.startsWith("https://") && !origin.includes("*")) ?? "";
  return { host: own.slice("https://".length), url: `${own}/` };
};

/** `US-NJ` → the country US and the region NJ. */
const locationOf = (place: string): Location => {
  const [country = "", region = ""] = place.split("-");
  return { country, region };
};
