import {
  type BilledClick,
  hourOf,
  hoursOfViews,
  minuteOf,
  type NetworkMinute,
  viewsSince,
} from "../../core/billing-limits.ts";
import { dayMs } from "../../core/utc-day.ts";
import type { BilledLately } from "../journal/recording.ts";
import { readOf } from "./not-read-ahead.ts";
import { namesOf, networkKey, networksOf, viewKey } from "./reach.ts";
import type { ReadAhead } from "./read-rows.ts";

/** What a batch adds to what was billed lately. */
export type BilledChanges = {
  clicks: { visitor: string; offer: number; at: number }[];
  networks: { day: number; network: string; at: number; clicks: number; unnamed: number }[];
  views: { hour: number; viewer: string; offer: number; at: number; views: number; unnamed: number }[];
};

/** What was billed lately as it was read, with what the batch bills. */
export function overlayBilled({
  clicks,
  networks,
  views,
}: Pick<ReadAhead, "clicks" | "networks" | "views">): {
  billed: BilledLately;
  changes(): BilledChanges;
} {
  const ownClicks = new Map<string, BilledClick[]>();
  const ownNetworks = new Map<string, Own<{ day: number; network: string }>>();
  const ownViews = new Map<string, Own<{ hour: number; viewer: string; offer: number }>>();

  const noteView = (viewer: string, unnamed: number, offer: number, at: number): void => {
    const hour = hourOf(at);
    add(ownViews, viewKey(hour, viewer, offer), { hour, viewer, offer }, minuteOf(at), unnamed);
  };
  const billed: BilledLately = {
    clicksOf: (visitors, since) =>
      namesOf(visitors).flatMap((name) => {
        const stored = readOf(clicks, name, "clicks of the visitor");
        return [...stored, ...(ownClicks.get(name) ?? [])].filter(({ at }) => at > since);
      }),
    clicksOfNetwork: (hashes, since) =>
      networksOf(hashes, since).flatMap(({ day, network }) => {
        const key = networkKey(day, network);
        return minutesOf(
          readOf(networks, key, "clicks of the network"),
          ownNetworks.get(key),
          minuteOf(since),
        );
      }),
    viewsOf: (name, offer, at) =>
      hoursOfViews(at).flatMap((hour) => {
        const key = viewKey(hour, name, offer);
        return minutesOf(readOf(views, key, "views of"), ownViews.get(key), minuteOf(viewsSince(at)));
      }),
    noteClick: ({ visitors, networks: hashes }, offer, at) => {
      if (visitors !== null) {
        const own = ownClicks.get(visitors.today);
        const click = { offer, at };
        if (own === undefined) ownClicks.set(visitors.today, [click]);
        else own.push(click);
      }
      const network = hashes.today;
      const day = at - (at % dayMs);
      add(ownNetworks, networkKey(day, network), { day, network }, minuteOf(at), visitors === null ? 1 : 0);
    },
    noteView: ({ visitor, network }, offer, at) => {
      if (visitor !== null) noteView(visitor, 0, offer, at);
      if (network !== null) noteView(network, visitor === null ? 1 : 0, offer, at);
    },
  };
  return {
    billed,
    changes: () => ({
      clicks: [...ownClicks].flatMap(([visitor, own]) => own.map((click) => ({ visitor, ...click }))),
      networks: [...ownNetworks.values()].flatMap(({ key, minutes }) =>
        minutes.map(({ at, times, unnamed }) => ({ ...key, at, clicks: times, unnamed })),
      ),
      views: [...ownViews.values()].flatMap(({ key, minutes }) =>
        minutes.map(({ at, times, unnamed }) => ({ ...key, at, views: times, unnamed })),
      ),
    }),
  };
}

type Own<Key> = { key: Key; minutes: NetworkMinute[] };

const add = <Key>(own: Map<string, Own<Key>>, name: string, key: Key, at: number, unnamed: number): void => {
  const known = own.get(name) ?? { key, minutes: [] };
  own.set(name, known);
  const minute = known.minutes.find((one) => one.at === at);
  if (minute === undefined) known.minutes.push({ at, times: 1, unnamed });
  else {
    minute.times += 1;
    minute.unnamed += unnamed;
  }
};

const minutesOf = (
  stored: readonly NetworkMinute[],
  own: { minutes: NetworkMinute[] } | undefined,
  since: number,
): NetworkMinute[] => [...stored, ...(own?.minutes ?? [])].filter(({ at }) => at >= since);
