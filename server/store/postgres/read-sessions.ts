import type { WaitingSession } from "../../core/decline-session.ts";
import { bytesOf, textOf } from "../rows/row-bytes.ts";
import { type SessionRow, sessionColumns, sessionOfRow } from "../rows/session-row.ts";
import type { Reach } from "./reach.ts";
import { type Ask, openerKey, type ReadAhead, type Waiting } from "./read-rows.ts";

export function askSessions(ask: Ask, read: ReadAhead, { sessions, openings }: Reach): void {
  const { waiting } = read;
  if (openings.size > 0) {
    // Locked before any session is, as by the trigger of whoever opens one.
    ask<{ website_id: number; sessions: number }>(
      waiting === null ? "read_kept" : "lock_kept",
      `select website_id, sessions from decline_kept where website_id = any($1::bigint[])
       ${waiting === null ? "" : "order by website_id for no key update"}`,
      [[...read.kept.keys()]],
      ({ website_id, sessions }) => read.kept.set(website_id, sessions),
    );
  }
  if (sessions.size > 0) {
    ask<SessionRow>(
      "read_sessions",
      `select ${sessionColumns.join(", ")} from decline_session where id = any($1::text[])`,
      [[...sessions]],
      (row) => {
        const session = sessionOfRow(row);
        read.sessions.set(row.id, session);
        if (!read.facts.has(session.request)) read.facts.set(session.request, []);
      },
    );
  }
  if (waiting !== null) askWaiting(ask, waiting, openings);
}

type WaitingRow = {
  website: number;
  opener: Uint8Array;
  id: WaitingSession["sessionId"];
  expires_at: number;
};

const askWaiting = (ask: Ask, { ofWebsite, ofOpener }: Waiting, openings: Reach["openings"]): void => {
  const websites = [...openings].map(([website, { most }]) => ({ website, most: most + 1 }));
  for (const { website } of websites) ofWebsite.set(website, { sessions: [], areAll: true });
  const openers = [...openings].flatMap(([website, { most, openers }]) =>
    [...openers].map((opener) => ({ website, opener, most: most + 1 })),
  );
  for (const { website, opener } of openers) {
    ofOpener.set(openerKey(website, opener), { sessions: [], areAll: true });
  }
  const take = (
    list: { sessions: WaitingSession[]; areAll: boolean } | undefined,
    { id, expires_at }: WaitingRow,
    most: number,
  ): void => {
    if (list === undefined) return;
    list.sessions.push({ sessionId: id, expiresAt: expires_at });
    list.areAll = list.sessions.length < most;
  };
  ask<WaitingRow & { most: number }>(
    "read_waiting",
    `select s.* from unnest($1::bigint[], $2::bigint[]) k(website, most) cross join lateral
       (select k.website, k.most, id, expires_at from decline_session
        where website_id = k.website and ready_at is null order by number limit k.most) s`,
    [websites.map(({ website }) => website), websites.map(({ most }) => most)],
    (row) => take(ofWebsite.get(row.website), row, row.most),
  );
  if (openers.length === 0) return;
  // Whoever has an opener waits. That it waits is not asked for, or the index of all who wait would do as well for a planner
  // who knows nothing of the rows, and a thousand openers of a full website took 45 seconds.
  ask<WaitingRow & { most: number }>(
    "read_waiting_of_openers",
    `select s.* from unnest($1::bigint[], $2::bytea[], $3::bigint[]) k(website, opener, most) cross join lateral
       (select k.website, k.opener, k.most, id, expires_at from decline_session
        where website_id = k.website and opener = k.opener order by number limit k.most) s`,
    [
      openers.map(({ website }) => website),
      openers.map(({ opener }) => bytesOf(opener)),
      openers.map(({ most }) => most),
    ],
    (row) => take(ofOpener.get(openerKey(row.website, textOf(row.opener))), row, row.most),
  );
};
