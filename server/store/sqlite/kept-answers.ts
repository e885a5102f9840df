import type { Database as Sqlite } from "better-sqlite3";
import type { KeptAnswer } from "../../core/idempotency.ts";
import type { KeptAnswers } from "../journal/recording.ts";

/** Prepares the statements on answers that are kept under an idempotency key. */
export function prepareKeptAnswers(sqlite: Sqlite): KeptAnswers {
  const find = sqlite.prepare<[string, string], KeptAnswer>(
    "select fingerprint, answer_json as answerJson, at from kept_answer where scope = +? and key = +?",
  );
  const keep = sqlite.prepare(
    `insert into kept_answer (scope, key, fingerprint, answer_json, at) values (?, ?, ?, ?, ?)
     on conflict (scope, key) do update
     set fingerprint = excluded.fingerprint, answer_json = excluded.answer_json, at = excluded.at`,
  );
  const forget = sqlite.prepare(
    `delete from kept_answer where (scope, key) in
       (select scope, key from kept_answer where at <= +? order by at limit +?)`,
  );
  return {
    find: (scope, key) => find.get(scope, key),
    keep: (scope, key, { fingerprint, answerJson, at }) =>
      void keep.run(scope, key, fingerprint, answerJson, at),
    forget: (before, most) => void forget.run(before, most),
  };
}
