import { bytesOf, textOf } from "../rows/row-bytes.ts";
import { networkKey, type Reach, viewKey } from "./reach.ts";
import type { Ask, ReadAhead } from "./read-rows.ts";

type MinuteRow = { name: Uint8Array; at: number; times: number; unnamed: number };

export function askBilled(ask: Ask, read: ReadAhead, reach: Reach): void {
  if (reach.visitors.size > 0) {
    ask<{ visitor: Uint8Array; offer: number; at: number }>(
      "read_clicks",
      `select b.* from unnest($1::bytea[], $2::bigint[]) k(visitor, since) cross join lateral
         (select visitor, offer, at from billed_click where visitor = k.visitor and at > k.since offset 0) b`,
      [[...reach.visitors.keys()].map(bytesOf), [...reach.visitors.values()]],
      ({ visitor, offer, at }) => read.clicks.get(textOf(visitor))?.push({ offer, at }),
    );
  }
  const networks = [...reach.networks.values()];
  if (networks.length > 0) {
    ask<MinuteRow & { day: number }>(
      "read_networks",
      `select b.* from unnest($1::bigint[], $2::bytea[], $3::bigint[]) k(day, network, since) cross join lateral
         (select day, network as name, at, clicks as times, unnamed from billed_network
          where day = k.day and network = k.network and at >= k.since offset 0) b`,
      [
        networks.map(({ day }) => day),
        networks.map(({ network }) => bytesOf(network)),
        networks.map(({ since }) => since),
      ],
      ({ day, name, at, times, unnamed }) =>
        read.networks.get(networkKey(day, textOf(name)))?.push({ at, times, unnamed }),
    );
  }
  const views = [...reach.views.values()];
  if (views.length > 0) {
    ask<MinuteRow & { hour: number; offer: number }>(
      "read_views",
      `select b.* from unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bigint[]) k(hour, viewer, offer, since)
         cross join lateral
         (select hour, viewer as name, offer, at, views as times, unnamed from billed_view
          where hour = k.hour and viewer = k.viewer and offer = k.offer and at >= k.since offset 0) b`,
      [
        views.map(({ hour }) => hour),
        views.map(({ viewer }) => bytesOf(viewer)),
        views.map(({ offer }) => offer),
        views.map(({ since }) => since),
      ],
      ({ hour, name, offer, at, times, unnamed }) =>
        read.views.get(viewKey(hour, textOf(name), offer))?.push({ at, times, unnamed }),
    );
  }
}
