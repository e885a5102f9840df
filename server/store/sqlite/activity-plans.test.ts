import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ActivityFilter, listActivity } from "../catalogue/activity.ts";
import { newCatalogueFile } from "./file-for-tests.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogueFile>>;
beforeAll(async () => {
  catalogue = await newCatalogueFile(tmpdir());
});
afterAll(() => catalogue.close());

/** Which changes are asked for, and the columns of the index that has them in order. */
const plans: [string, ActivityFilter, string][] = [
  ["all", {}, "rowid<?"],
  ["a publisher's", { publisherId: "publisher_b" }, "publisher_id=? AND id<?"],
  ["the operator's own", { publisherId: null }, "publisher_id=? AND id<?"],
  ["a user's", { actor: { kind: "user", userId: 2 } }, "actor_kind=? AND actor_id=? AND id<?"],
  [
    "the command line's",
    { actor: { kind: "command_line", name: "root" } },
    "actor_kind=? AND actor_id=? AND id<?",
  ],
  ["a subject's", { subject: { kind: "website", id: "id_0" } }, "subject_kind=? AND subject_id=? AND id<?"],
  [
    "a user's in a publisher",
    { publisherId: "publisher_a", actor: { kind: "user", userId: 1 } },
    "publisher_id=? AND actor_kind=? AND actor_id=? AND id<?",
  ],
];

test.each(plans)("changes, %s, are found by an index that has them in order", async (_, filter, columns) => {
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
