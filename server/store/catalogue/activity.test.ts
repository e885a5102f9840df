import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Activity, type ActivityFilter, listActivity } from "./activity.ts";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { createPublisher, updatePublisher } from "./publishers.ts";
import { createUser } from "./users.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

/** Fills in rows of three actors, two publishers and the operator, of two subjects each. */
const fill = (rows: number) =>
  catalogue.db
    .insertInto("activity")
    .values(
      Array.from({ length: rows }, (_, n) => ({
        ...{ at: n, version: n, actor_name: "name", subject_name: "N", action: "updated" as const },
        ...{ before_json: '{"a":1}', after_json: '{"a":2}', subject_id: `id_${n % 2}` },
        actor_kind: n % 3 === 0 ? ("command_line" as const) : ("user" as const),
        actor_id: n % 3 === 0 ? "root" : String(n % 3),
        publisher_id: n % 5 === 0 ? null : n % 5 === 1 ? "publisher_b" : "publisher_a",
        subject_kind: n % 2 === 0 ? ("website" as const) : ("api_key" as const),
      })),
    )
    .execute();

/** Which are asked for, and what they have in common. */
const isOf: [string, ActivityFilter, (row: Activity) => boolean][] = [
  ["all", {}, () => true],
  ["a publisher's", { publisherId: "publisher_b" }, (row) => row.publisherId === "publisher_b"],
  ["the operator's own", { publisherId: null }, (row) => row.publisherId === null],
  [
    "a user's",
    { actor: { kind: "user", userId: 2 } },
    ({ actor }) => "userId" in actor && actor.userId === 2,
  ],
  [
    "the command line's",
    { actor: { kind: "command_line", name: "root" } },
    ({ actor }) => actor.kind === "command_line",
  ],
  ["a subject's", { subject: { kind: "website", id: "id_0" } }, ({ subject }) => subject.kind === "website"],
  [
    "a user's in a publisher",
    { publisherId: "publisher_a", actor: { kind: "user", userId: 1 } },
    (row) => row.publisherId === "publisher_a" && "userId" in row.actor && row.actor.userId === 1,
  ],
];

describe("the changes that are asked for are", () => {
  test.each(isOf)("%s, newest first, each on one page", async (_, filter, belongs) => {
    await fill(100);
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
  const [{ userId }, other] = [
    await createUser(catalogue, { email: "ada@example.com", isOperator: false }, 1),
    await createUser(catalogue, { email: "ada@northwind.example", isOperator: false }, 1),
  ];
  const { publisherId } = await createPublisher(as(userId, "Ada"), { name: "0" }, { now: 1 });
  await updatePublisher(as(other.userId, "Ada"), publisherId, { name: "1" });
  await updatePublisher(as(userId, "Countess"), publisherId, { name: "2" });
  const found = await listActivity(catalogue.db, { actor: { kind: "user", userId }, limit: 9 });
  expect(found.map(({ actor, after }) => [actor.name, after?.name])).toEqual([
    ["Countess", "2"],
    ["Ada", "0"],
  ]);
});
