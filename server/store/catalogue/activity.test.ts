import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Activity, type ActivityFilter, listActivity } from "./activity.ts";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { createPublisher, updatePublisher } from "./publishers.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

/** Fills in rows of three actors, two publishers and the operator, of two subjects each. */
const fill = (rows: number) =>
  catalogue.sqlite.exec(`
    with recursive n(n) as (select 0 union all select n + 1 from n where n < ${rows - 1})
    insert into activity (at, version, actor_kind, actor_id, actor_name, publisher_id, subject_kind, subject_id,
        subject_name, action, before_json, after_json)
      select n, n, case n % 3 when 0 then 'command_line' else 'user' end, case n % 3 when 0 then 'root' else n % 3 end,
        'name', case n % 5 when 0 then null when 1 then 'publisher_b' else 'publisher_a' end,
        case n % 2 when 0 then 'website' else 'api_key' end, 'id_' || (n % 2), 'N', 'updated', '{"a":1}', '{"a":2}'
      from n`);

/** Which are asked for, what they have in common, and the columns of the index that has them in order. */
const isOf: [string, ActivityFilter, (row: Activity) => boolean, string][] = [
  ["all", {}, () => true, "rowid<?"],
  [
    "a publisher's",
    { publisherId: "publisher_b" },
    (row) => row.publisherId === "publisher_b",
    "publisher_id=? AND id<?",
  ],
  ["the operator's own", { publisherId: null }, (row) => row.publisherId === null, "publisher_id=? AND id<?"],
  [
    "a user's",
    { actor: { kind: "user", userId: 2 } },
    ({ actor }) => "userId" in actor && actor.userId === 2,
    "actor_kind=? AND actor_id=? AND id<?",
  ],
  [
    "the command line's",
    { actor: { kind: "command_line", name: "root" } },
    ({ actor }) => actor.kind === "command_line",
    "actor_kind=? AND actor_id=? AND id<?",
  ],
  [
    "a subject's",
    { subject: { kind: "website", id: "id_0" } },
    ({ subject }) => subject.kind === "website",
    "subject_kind=? AND subject_id=? AND id<?",
  ],
  [
    "a user's in a publisher",
    { publisherId: "publisher_a", actor: { kind: "user", userId: 1 } },
    (row) => row.publisherId === "publisher_a" && "userId" in row.actor && row.actor.userId === 1,
    "publisher_id=? AND actor_kind=? AND actor_id=? AND id<?",
  ],
];

describe("the changes that are asked for are", () => {
  test.each(isOf)("%s, newest first, each on one page", async (_, filter, belongs) => {
    fill(100);
    const all = (await listActivity(catalogue.db, { limit: 1000 })).filter(belongs);
    const found: Activity[] = [];
    for (;;) {
      const page = await listActivity(catalogue.db, { ...filter, before: found.at(-1)?.id, limit: 7 });
      found.push(...page);
      if (page.length < 7) break;
    }
    expect(found).toEqual(all);
    expect(found.length).toBeGreaterThan(7);
    expect(found.map(({ id }) => id)).toEqual(found.map(({ id }) => id).toSorted((one, two) => two - one));
  });

  test.each(isOf)("%s, found by an index that has them in order", async (_, filter, __, columns) => {
    const { sqlite } = catalogue;
    let asked = "";
    const noting = catalogue.db.withPlugin({
      transformQuery: ({ node }) => {
        asked = catalogue.db.getExecutor().compileQuery(node, { queryId: "plan" }).sql;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await listActivity(noting, { ...filter, before: 900, limit: 50 });
    const values = Array.from(asked.matchAll(/\?/g), () => 1);
    const steps = sqlite.prepare(`explain query plan ${asked}`).all(...values) as { detail: string }[];
    expect(steps.map(({ detail }) => detail)).toEqual([expect.stringContaining(`(${columns})`)]);
  });
});

test("nothing that only the operator knows is told to a publisher", async () => {
  const { publisherId } = await createPublisher(catalogue, { name: "A", shareBasisPoints: 7000 }, { now: 1 });
  await updatePublisher(catalogue, publisherId, { name: "B", shareBasisPoints: 6000, showSpend: false });
  const told = await listActivity(catalogue.db, { publisherId, limit: 9, isForPublisher: true });
  expect(told).toMatchObject([
    { action: "updated", before: { name: "A" }, after: { name: "B" } },
    { action: "created", before: null, after: { name: "A" } },
  ]);
  expect(JSON.stringify(told)).not.toMatch(/share|spend/i);
  const [own] = await listActivity(catalogue.db, { publisherId, limit: 1 });
  expect(own?.after).toEqual({ name: "B", shareBasisPoints: 6000, showSpend: false });
});

test("users are told apart by number, whatever they are called", async () => {
  const as = (userId: number, name: string) => ({
    ...catalogue,
    actor: { kind: "user", userId, name } as const,
  });
  const { publisherId } = await createPublisher(as(1, "Ada"), { name: "0" }, { now: 1 });
  await updatePublisher(as(2, "Ada"), publisherId, { name: "1" });
  await updatePublisher(as(1, "Countess"), publisherId, { name: "2" });
  const found = await listActivity(catalogue.db, { actor: { kind: "user", userId: 1 }, limit: 9 });
  expect(found.map(({ actor, after }) => [actor.name, after?.name])).toEqual([
    ["Countess", "2"],
    ["Ada", "0"],
  ]);
});
