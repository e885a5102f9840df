import { dismissalsKept } from "../../core/showing.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import { addSums, guarded, type Row, recordset, rowsOf, type Written } from "./flush-statements.ts";
import type { BilledChanges } from "./overlay-billed.ts";
import type { AnswerChanges, NoteChanges } from "./overlay-notes.ts";
import type { SessionChanges } from "./overlay-sessions.ts";
import type { Statement } from "./pipeline.ts";

const billedClick: Written = {
  table: "billed_click",
  columns: { visitor: "bytea", offer: "bigint", at: "bigint" },
  keyLength: 3,
};
const billedNetwork: Written = {
  table: "billed_network",
  columns: { day: "bigint", network: "bytea", at: "bigint", clicks: "bigint", unnamed: "bigint" },
  keyLength: 3,
};
const billedView: Written = {
  table: "billed_view",
  columns: {
    ...{ hour: "bigint", viewer: "bytea", offer: "bigint", at: "bigint" },
    ...{ views: "bigint", unnamed: "bigint" },
  },
  keyLength: 4,
};

/** To whom something was billed. */
export function flushBilled({ clicks, networks, views }: BilledChanges): Statement[] {
  const sums = { clicks: ["clicks", "unnamed"], views: ["views", "unnamed"] };
  return [
    ...addSums(
      billedClick,
      clicks.map((row): Row => ({ ...row, visitor: bytesOf(row.visitor) })),
      {
        sums: [],
      },
    ),
    ...addSums(
      billedNetwork,
      networks.map((row): Row => ({ ...row, network: bytesOf(row.network) })),
      {
        sums: sums.clicks,
      },
    ),
    ...addSums(
      billedView,
      views.map((row): Row => ({ ...row, viewer: bytesOf(row.viewer) })),
      {
        sums: sums.views,
      },
    ),
  ];
}

const unkeptEvent: Written = {
  table: "unkept_event",
  columns: { cell: "bigint", hour: "bigint", offer: "bigint", placement: "bigint", events: "bigint" },
  keyLength: 4,
};
const snippetPing: Written = {
  table: "snippet_ping",
  columns: {
    ...{ website_id: "bigint", host: "text", script_version: "text", hour: "bigint" },
    ...{ surface: "text", url: "text", last_at: "bigint", loads: "bigint" },
  },
  keyLength: 4,
};
const trouble: Written = {
  table: "trouble",
  columns: {
    ...{ subject: "text", hour: "bigint", code: "text", detail: "text" },
    ...{ times: "bigint", last_at: "bigint" },
  },
  keyLength: 4,
};
const use: Written = { table: "", columns: { id: "text", at: "bigint" }, keyLength: 1 };
const dismissal: Written = {
  table: "dismissal",
  columns: { day: "bigint", visitor: "bytea" },
  keyLength: 2,
};

/** What is worth knowing and is no fact. */
export function flushNotes(changes: NoteChanges): Statement[] {
  const { unkept, pings, refused, keyUses, grantUses, dismissals } = changes;
  return [
    ...addSums(unkeptEvent, unkept, { sums: ["events"] }),
    ...addSums(
      snippetPing,
      pings.map(({ websiteId, host, scriptVersion, hour, surface, url, at, loads }) => ({
        ...{ website_id: websiteId, host, script_version: scriptVersion, hour },
        ...{ surface, url, last_at: at, loads },
      })),
      { sums: ["loads"], latest: ["surface", "url", "last_at"] },
    ),
    ...flushRefused(refused),
    ...flushUses("api_key", keyUses),
    ...flushUses("oauth_grant", grantUses),
    ...flushDismissals(dismissals),
  ];
}

const flushRefused = (refused: NoteChanges["refused"]): Statement[] => {
  if (refused.length === 0) return [];
  const rows = refused.map(({ subject, hour, code, detail, times, at }) => ({
    ...{ subject, hour, code, detail },
    ...{ times, last_at: at },
  }));
  const text = `insert into trouble (subject, hour, code, detail, times, last_at)
    select v.subject, v.hour, v.code, v.detail, v.times, v.last_at from ${recordset(trouble.columns)}
    on conflict (subject, hour, code, detail) do update set
      times = trouble.times + excluded.times, last_at = greatest(trouble.last_at, excluded.last_at)`;
  return [{ name: "add_trouble", text, values: [rowsOf(trouble, rows)] }];
};

const flushUses = (table: "api_key" | "oauth_grant", uses: ReadonlyMap<string, number>): Statement[] => {
  if (uses.size === 0) return [];
  const rows = [...uses].map(([id, at]) => ({ id, at }));
  const text = `update ${table} t set last_used_at = v.at from ${recordset(use.columns)}
    where t.id = v.id and coalesce(t.last_used_at, 0) < v.at`;
  return [{ name: `note_use_of_${table}`, text, values: [rowsOf(use, rows)] }];
};

const flushDismissals = (dismissals: NoteChanges["dismissals"]): Statement[] => {
  if (dismissals.length === 0) return [];
  const rows = dismissals.map(({ day, visitor }) => ({ day, visitor: bytesOf(visitor) }));
  return [
    {
      name: "add_dismissals",
      // Not by `on conflict` alone, which would use up a number: repetitions would drive out other visitors.
      text: `insert into dismissal (day, visitor) select v.day, v.visitor from ${recordset(dismissal.columns)}
        where not exists (select 1 from dismissal d where d.day = v.day and d.visitor = v.visitor)
        on conflict (day, visitor) do nothing`,
      values: [rowsOf(dismissal, rows)],
    },
    {
      name: "drop_dismissals",
      text: `delete from dismissal where number <= (select max(number) from dismissal) - ${dismissalsKept}`,
      values: [],
    },
  ];
};

const session: Written = {
  table: "decline_session",
  columns: {
    ...{ id: "text", website_id: "bigint", origin: "text", request: "bytea", country: "text" },
    ...{ region: "text", test: "bigint", visitor: "text", opener: "bytea", created_at: "bigint" },
    ...{ expires_at: "bigint", ready_at: "bigint", reason: "text", suppression_json: "text" },
    ...{ catalogue: "bigint", geo_source: "bigint", device: "bigint" },
  },
  // The order in which they were opened: it is their number's.
  keyLength: 0,
};
const readySession: Written = {
  table: "decline_session",
  columns: { id: "text", ready_at: "bigint", reason: "text", suppression_json: "text" },
  keyLength: 1,
};

/** Decline sessions: only where those that are triggered or give way still wait, else all of it fails. */
export function flushSessions({ opened, ready, removed }: SessionChanges): Statement[] {
  const statements: Statement[] = [];
  if (opened.length > 0) {
    const names = Object.keys(session.columns);
    statements.push({
      name: "open_sessions",
      text: `insert into decline_session (${names.join(", ")})
        select ${names.map((name) => `v.${name}`).join(", ")} from ${recordset(session.columns)}`,
      values: [
        rowsOf(
          session,
          opened.map(({ session: own, opener, reason }): Row => {
            const { sessionId, websiteId, origin, country, region, test, visitor, device, decidedBy } = own;
            return {
              ...{ id: sessionId, website_id: websiteId, origin, request: bytesOf(own.request) },
              ...{ country, region, test: test ? 1 : 0, visitor, device },
              opener: opener === null ? null : bytesOf(opener),
              ...{ created_at: own.openedAt, expires_at: own.expiresAt, ready_at: own.readyAt, reason },
              suppression_json: own.suppression && JSON.stringify(own.suppression),
              ...{ catalogue: decidedBy?.catalogue ?? null, geo_source: decidedBy?.geoSource ?? null },
            };
          }),
        ),
      ],
    });
  }
  if (ready.length > 0) {
    const rows = ready.map(({ id, at, reason, suppression }) => ({
      ...{ id, ready_at: at, reason, suppression_json: suppression && JSON.stringify(suppression) },
    }));
    statements.push(
      guarded(
        "mark_ready",
        `update decline_session s set opener = null, ready_at = v.ready_at, reason = v.reason,
           suppression_json = v.suppression_json
         from ${recordset(readySession.columns)} where s.id = v.id and s.ready_at is null`,
        rowsOf(readySession, rows),
        rows.length,
      ),
    );
  }
  if (removed.length > 0) {
    const ids: Written = { table: "decline_session", columns: { id: "text" }, keyLength: 1 };
    statements.push(
      guarded(
        "remove_sessions",
        `delete from decline_session s using ${recordset(ids.columns)} where s.id = v.id and s.ready_at is null`,
        rowsOf(
          ids,
          removed.map((id) => ({ id })),
        ),
        removed.length,
      ),
    );
  }
  return statements;
}

const keptAnswer: Written = {
  table: "kept_answer",
  columns: {
    ...{ scope: "text", key: "text", fingerprint: "text", answer_json: "text", at: "bigint" },
    version: "xid",
  },
  keyLength: 2,
};

/** Answers under their idempotency keys: only where nobody else has kept one since they were looked for, else all of it fails. */
export function flushAnswers({ kept, forgotten }: AnswerChanges): Statement[] {
  const statements: Statement[] = [];
  if (kept.length > 0) {
    const rows = kept.map(({ scope, key, answer, version }) => ({
      ...{ scope, key, fingerprint: answer.fingerprint, answer_json: answer.answerJson },
      ...{ at: answer.at, version },
    }));
    // One that is replaced is updated before: what `on conflict` finds instead is somebody else's.
    const replaced = rows.filter(({ version }) => version !== null);
    const fresh = rows.filter(({ version }) => version === null);
    if (replaced.length > 0) {
      statements.push(
        guarded(
          "replace_answers",
          `update kept_answer a set fingerprint = v.fingerprint, answer_json = v.answer_json, at = v.at
           from ${recordset(keptAnswer.columns)}
           where a.scope = v.scope and a.key = v.key and a.xmin = v.version`,
          rowsOf(keptAnswer, replaced),
          replaced.length,
        ),
      );
    }
    if (fresh.length > 0) {
      statements.push(
        guarded(
          "keep_answers",
          `insert into kept_answer (scope, key, fingerprint, answer_json, at)
           select v.scope, v.key, v.fingerprint, v.answer_json, v.at from ${recordset(keptAnswer.columns)}
           on conflict (scope, key) do nothing`,
          rowsOf(keptAnswer, fresh),
          fresh.length,
        ),
      );
    }
  }
  if (forgotten !== null) {
    statements.push({
      name: "forget_answers",
      text: `with old as (select scope, key from kept_answer where at <= $1::bigint order by at limit $2::bigint
          for update skip locked)
        delete from kept_answer a using old where a.scope = old.scope and a.key = old.key`,
      values: [forgotten.before, forgotten.most],
    });
  }
  return statements;
}
