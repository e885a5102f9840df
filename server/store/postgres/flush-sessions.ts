import { bytesOf } from "../rows/row-bytes.ts";
import { guarded, type Row, recordset, rowsOf, type Written } from "./flush-statements.ts";
import type { AnswerChanges } from "./overlay-notes.ts";
import type { SessionChanges } from "./overlay-sessions.ts";
import type { Statement } from "./pipeline.ts";

const session: Written = {
  table: "decline_session",
  columns: {
    ...{ id: "text", website_id: "bigint", origin: "text", request: "bytea", country: "text" },
    ...{ region: "text", test: "bigint", visitor: "text", opener: "bytea", created_at: "bigint" },
    ...{ expires_at: "bigint", ready_at: "bigint", suppression_json: "text" },
    ...{ catalogue: "bigint", geo_source: "bigint", device: "bigint" },
  },
  // The order in which they were opened: it is their number's.
  keyLength: 0,
};
const readySession: Written = {
  table: "decline_session",
  columns: { id: "text", ready_at: "bigint", suppression_json: "text" },
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
          opened.map(({ session: own, opener }): Row => {
            const { sessionId, websiteId, origin, country, region, test, visitor, device, decidedBy } = own;
            return {
              ...{ id: sessionId, website_id: websiteId, origin, request: bytesOf(own.request) },
              ...{ country, region, test: test ? 1 : 0, visitor, device },
              opener: opener === null ? null : bytesOf(opener),
              ...{ created_at: own.openedAt, expires_at: own.expiresAt, ready_at: own.readyAt },
              suppression_json: own.suppression && JSON.stringify(own.suppression),
              ...{ catalogue: decidedBy?.catalogue ?? null, geo_source: decidedBy?.geoSource ?? null },
            };
          }),
        ),
      ],
    });
  }
  if (ready.length > 0) {
    const rows = ready.map(({ id, at, suppression }) => ({
      ...{ id, ready_at: at, suppression_json: suppression && JSON.stringify(suppression) },
    }));
    statements.push(
      guarded(
        "mark_ready",
        `update decline_session s set opener = null, ready_at = v.ready_at,
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
