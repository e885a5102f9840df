import { type FactRow, factColumns } from "../rows/fact-row.ts";
import { bytesOf, textOf } from "../rows/row-bytes.ts";
import type { Reach } from "./reach.ts";
import { type Ask, mostFacts, type ReadAhead, storedOf } from "./read-rows.ts";

const columnsOfFact = [...factColumns, "xmin::text as version"].join(", ");

/** `offset 0` and `limit` keep the planner from making a join of it, which it may answer by reading a whole young table. */
export function askFacts(ask: Ask, read: ReadAhead, { requests, sessions }: Reach): void {
  const take = (row: FactRow & { version: string }): void => {
    const request = textOf(row.request);
    const facts = read.facts.get(request);
    if (facts == null) return;
    if (facts.length >= mostFacts) read.facts.set(request, null);
    else facts.push(storedOf(row));
  };
  if (requests.size > 0) {
    ask(
      "read_facts",
      `select f.* from unnest($1::bytea[]) k(request) cross join lateral
         (select ${columnsOfFact} from fact where request = k.request limit ${mostFacts + 1} offset 0) f`,
      [[...requests].map(bytesOf)],
      take,
    );
  }
  if (sessions.size > 0) {
    ask(
      "read_facts_of_sessions",
      `select f.* from unnest($1::text[]) k(id)
         cross join lateral (select request from decline_session where id = k.id offset 0) s
         cross join lateral
           (select ${columnsOfFact} from fact where request = s.request limit ${mostFacts + 1} offset 0) f`,
      [[...sessions]],
      (row: FactRow & { version: string }) => {
        if (!requests.has(textOf(row.request))) take(row);
      },
    );
  }
}
