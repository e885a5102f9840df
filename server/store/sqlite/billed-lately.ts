import type { Database as Sqlite } from "better-sqlite3";
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
import { bytesOf } from "../rows/row-bytes.ts";

/**
 * Prepares the rows of what was billed lately. They are read in the caller's transaction, by the beginning of their key.
 * Two names are looked up in one statement: crossing into SQLite costs as much as a look-up does.
 */
export function prepareBilledLately(sqlite: Sqlite): BilledLately {
  const twice = (select: string): string => `${select} union all ${select}`;
  const clicks = sqlite.prepare<[Uint8Array, number, Uint8Array, number], BilledClick>(
    twice("select offer, at from billed_click where visitor = +? and at > +?"),
  );
  const networkClicks = sqlite.prepare<
    [number, Uint8Array, number, number, Uint8Array, number],
    NetworkMinute
  >(
    twice(
      "select at, clicks as times, unnamed from billed_network where day = +? and network = +? and at >= +?",
    ),
  );
  const views = sqlite.prepare<[number, Uint8Array, number, number], NetworkMinute>(
    "select at, views as times, unnamed from billed_view where hour = +? and viewer = +? and offer = +? and at >= +?",
  );
  const noteClick = sqlite.prepare(
    "insert into billed_click (visitor, offer, at) values (?, ?, ?) on conflict do nothing",
  );
  const noteNetwork = sqlite.prepare(
    `insert into billed_network (day, network, at, clicks, unnamed) values (?, ?, ?, 1, ?)
     on conflict do update set clicks = clicks + 1, unnamed = unnamed + excluded.unnamed`,
  );
  const noteView = sqlite.prepare(
    `insert into billed_view (hour, viewer, offer, at, views, unnamed) values (?, ?, ?, ?, 1, ?)
     on conflict do update set views = views + 1, unnamed = unnamed + excluded.unnamed`,
  );
  return {
    clicksOf: ({ today, yesterday }, since) => clicks.all(bytesOf(today), since, bytesOf(yesterday), since),
    clicksOfNetwork: ({ today, yesterday }, since) => {
      const minute = minuteOf(since);
      // It is since a day: what was billed under today's name was billed on the day after that.
      const day = since - (since % dayMs);
      return networkClicks.all(day + dayMs, bytesOf(today), minute, day, bytesOf(yesterday), minute);
    },
    viewsOf: (hash, offer, at) => {
      const name = bytesOf(hash);
      const since = minuteOf(viewsSince(at));
      return hoursOfViews(at).flatMap((hour) => views.all(hour, name, offer, since));
    },
    noteClick: ({ visitors, networks }, offer, at) => {
      if (visitors !== null) noteClick.run(bytesOf(visitors.today), offer, at);
      const unnamed = visitors === null ? 1 : 0;
      noteNetwork.run(at - (at % dayMs), bytesOf(networks.today), minuteOf(at), unnamed);
    },
    noteView: ({ visitor, network }, offer, at) => {
      const note = (name: string, unnamed: 0 | 1) =>
        noteView.run(hourOf(at), bytesOf(name), offer, minuteOf(at), unnamed);
      if (visitor !== null) note(visitor, 0);
      if (network !== null) note(network, visitor === null ? 1 : 0);
    },
  };
}
