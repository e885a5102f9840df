import { dayMs, hourMs } from "./utc-day.ts";

const minuteMs = 60 * 1000;

/** Clicks of one visitor, and of one network on one offer, that may be billed within a time. Wide enough for an office. */
const clickLimits = [
  { windowMs: 10 * minuteMs, most: 3 },
  { windowMs: hourMs, most: 10 },
  { windowMs: dayMs, most: 25 },
] as const;
/** In this time a network's clicks with and without Global Privacy Control may be one visitor's, who toggles it. */
const togglingMs = 10 * minuteMs;
/** Of one visitor, and of as many of one network as six visitors have. */
const viewLimit = { windowMs: 5 * minuteMs, most: 5, mostOfNetwork: 30 } as const;

/** Since when (milliseconds since the epoch) what was billed still matters to a click at `at`. */
export function clicksSince(at: number): number {
  return at - dayMs;
}

/** The same for a view. */
export function viewsSince(at: number): number {
  return at - viewLimit.windowMs;
}

/** The hours in which that lies, by their first milliseconds: reports come late and in any order, so also what came after it. */
export function hoursOfViews(at: number): number[] {
  return [...new Set([viewsSince(at), at, at + viewLimit.windowMs].map(hourOf))];
}

/** What a visitor was billed for: the offer's number, and when. */
export type BilledClick = { offer: number; at: number };

/** How often something was billed in the minute that begins at `at` (milliseconds since the epoch). */
export type BilledMinute = { at: number; times: number };

/** Clicks or views of a network and one offer: `unnamed` of them were of visitors of whom no hash may be made. */
export type NetworkMinute = BilledMinute & { unnamed: number };

/** The first millisecond of the hour. */
export function hourOf(at: number): number {
  return at - (at % hourMs);
}

/** The first millisecond of the minute: what is counted of networks and views is known to the minute. */
export function minuteOf(at: number): number {
  return at - (at % minuteMs);
}

/**
 * Whether a click at `at` may still be billed: what two keys of one caller were billed for lately decides, and both have
 * to have room (decisions.md#two-keys).
 * @param past.offer the number of the offer that is clicked.
 * @param past.visitor of the last 24 hours; null: no hash may be made of this visitor, and the network's key stands
 * alone, with one click a day.
 * @param past.network of the caller's network and this offer, in the last 24 hours.
 */
export function clickLimit(past: {
  at: number;
  offer: number;
  visitor: readonly BilledClick[] | null;
  network: readonly NetworkMinute[];
}): "rate" | "duplicate" | null {
  const { at, offer, visitor, network } = past;
  if (visitor === null) return timesWithin(network, at, dayMs) > 0 ? "rate" : null;
  const clicks = visitor.map((click) => ({ at: click.at, times: 1 }));
  const unnamed = network.map((minute) => ({ at: minute.at, times: minute.unnamed }));
  if (clickLimits.some(({ windowMs, most }) => within(clicks, at, windowMs) >= most)) return "rate";
  if (clickLimits.some(({ windowMs, most }) => timesWithin(network, at, windowMs) >= most)) return "rate";
  if (timesWithin(unnamed, at, togglingMs) > 0) return "rate";
  return visitor.some((click) => click.offer === offer && click.at > at - dayMs) ? "duplicate" : null;
}

/**
 * Whether a view at `at` may not be billed any more, by what two keys of its viewer were billed for this offer lately; both
 * have to have room (decisions.md#views-are-limited).
 * @param past.visitor null: no hash may be made of this visitor, who shares what a visitor has with the whole network.
 * @param past.network null: it is not known.
 */
export function isAboveViewLimit(past: {
  at: number;
  visitor: readonly BilledMinute[] | null;
  network: readonly NetworkMinute[] | null;
}): boolean {
  const { at, visitor, network } = past;
  const { windowMs, most, mostOfNetwork } = viewLimit;
  const ofNetwork = timesAround(network ?? [], at, windowMs);
  if (visitor === null) return ofNetwork >= most;
  // Views without a name may be this visitor's, who toggles Global Privacy Control.
  const unnamed = (network ?? []).map((minute) => ({ at: minute.at, times: minute.unnamed }));
  const own = timesAround([...visitor, ...unnamed], at, windowMs);
  return own >= most || ofNetwork >= mostOfNetwork;
}

/** Whatever is ahead counts as well: a clock that was set back finds the clicks that were billed before it was. */
const within = (times: readonly BilledMinute[], at: number, windowMs: number): number =>
  times.reduce((sum, one) => (one.at > at - windowMs ? sum + one.times : sum), 0);

/** A minute that is partly within the window counts as a whole, so a limit is kept in every window. */
const timesWithin = (minutes: readonly BilledMinute[], at: number, windowMs: number): number =>
  within(minutes, minuteOf(at), windowMs + minuteMs);

/** The most that any such window has to which `at` belongs, for what came after it may have been billed before it. */
function timesAround(minutes: readonly BilledMinute[], at: number, windowMs: number): number {
  const own = minuteOf(at);
  const later = minutes.map((one) => one.at).filter((end) => end > own && end <= own + windowMs);
  const until = (end: number) => minutes.filter((one) => one.at <= end);
  return Math.max(...[own, ...later].map((end) => timesWithin(until(end), end, windowMs)));
}
