import { tmpdir } from "node:os";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fillFixture } from "../../testing/fixture.ts";
import { listActivity } from "./activity.ts";
import { createApiKey, listApiKeys } from "./api-keys.ts";
import { newCatalogue } from "./catalogue-for-tests.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import { invite, listInvitations, withdrawInvitation } from "./invitations.ts";
import { redeemLink } from "./redeem-link.ts";
import { createUserWithLink, findLink, makeLinkFor } from "./sign-in-links.ts";
import { removeUser } from "./user-access.ts";
import { createUser, listUsers, updateOwnSettings } from "./users.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
  await fillFixture(catalogue, 1);
});
afterEach(() => catalogue.close());

const publisherId = "publisher_a";
const email = "zelda@example.com";

const redeem = (token: string) =>
  redeemLink(
    catalogue,
    {
      ...{ token, email: null, passwordHash: "x", byUserId: null },
      session: { hash: token.slice(0, 12), agent: "Firefox" },
    },
    2,
  );

/** Somebody's doing under a name, which may be that of others as well. */
const as = (userId: number, name: string): CatalogueHandle => ({
  ...catalogue,
  actor: { kind: "user", userId, name },
});

/** All that is stored, as one text. */
const everything = async (): Promise<string> => {
  const tables = await catalogue.db.introspection.getTables();
  const rows = await Promise.all(
    tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(catalogue.db)),
  );
  return JSON.stringify(rows.map((one) => one.rows));
};

const addKey = (by: CatalogueHandle) => createApiKey(by, { publisherId }, 1);

const forgetKeysInActivity = () =>
  catalogue.db.deleteFrom("activity").where("subject_kind", "=", "api_key").execute();

test("of somebody who is removed a number is left, whatever they have done and were called", async () => {
  await createUser(catalogue, { email: "olga@example.com", isOperator: true }, 1);
  await invite(catalogue, { email, publisherId, role: "editor", isOperator: false, madeBy: "Olga" }, 1);
  const { token } = await createUserWithLink(
    catalogue,
    { email, name: "Zelda Z", isOperator: true, madeBy: "Olga" },
    1,
  );
  const { userId } = await redeem(token);
  await addKey(as(userId, "Zelda Z"));
  // After thirteen months Activity does not know of it any more.
  await forgetKeysInActivity();
  await updateOwnSettings(catalogue, userId, { name: "Zelda Married" });
  const zelda = as(userId, "Zelda Married");
  await createUser(zelda, { email: "bo@example.com", isOperator: false }, 1);
  const link = await makeLinkFor(
    zelda,
    { kind: "password", email: "bo@example.com", madeBy: "Zelda Married" },
    1,
  );
  await redeem(link.token);
  const guest = { publisherId, role: "viewer" as const, isOperator: false };
  const open = await invite(zelda, { ...guest, email: "eve@example.com", madeBy: "Zelda Married" }, 1);
  expect(await everything()).toMatch(/zelda/i);
  const before = (await listActivity(catalogue.db, { limit: 100 })).length;

  expect(await removeUser(catalogue, { email: " Zelda@Example.com " }, 3)).toEqual({ userId });

  expect(await everything()).not.toMatch(/zelda/i);
  expect((await listUsers(catalogue.db)).map((one) => one.email)).toEqual([
    "olga@example.com",
    "bo@example.com",
  ]);
  const told = await listActivity(catalogue.db, { limit: 100 });
  expect(told).toHaveLength(before + 1);
  const name = `removed user ${userId}`;
  expect(told[0]).toMatchObject({ action: "removed", subject: { kind: "user", id: String(userId), name } });
  expect(told.filter(({ actor }) => actor.name === name).length).toBeGreaterThan(3);
  expect(told.find(({ action }) => action === "password_link_made")).toMatchObject({ after: { by: name } });
  expect(told.find(({ action }) => action === "password_changed")).toMatchObject({
    after: { by: `a link of ${name}` },
  });
  expect(await findLink(catalogue.db, open.token, 4)).toBeNull();
  expect((await listApiKeys(catalogue.db)).map(({ madeBy }) => madeBy)).toEqual([name]);
});

test("whoever has the same name keeps theirs", async () => {
  const name = "Zelda";
  const [one, other] = [
    await createUser(catalogue, { email, name, isOperator: true }, 1),
    await createUser(catalogue, { email: "zelda@northwind.example", name, isOperator: true }, 1),
  ];
  await addKey(as(one.userId, name));
  await addKey(as(other.userId, name));
  // A link takes the place of the one before, whoever made that.
  const links = [
    { of: "ana@example.com", by: [as(one.userId, name)] },
    { of: "bea@example.com", by: [as(one.userId, name), as(other.userId, name)] },
    { of: "cy@example.com", by: [as(one.userId, name), catalogue] },
  ];
  for (const { of, by } of links) {
    await createUser(catalogue, { email: of, isOperator: false }, 1);
    let token = "";
    for (const maker of by)
      ({ token } = await makeLinkFor(maker, { kind: "password", email: of, madeBy: name }, 1));
    await redeem(token);
  }
  // The keys have their makers' numbers.
  await forgetKeysInActivity();
  await removeUser(catalogue, { email }, 3);
  const gone = `removed user ${one.userId}`;
  expect((await listApiKeys(catalogue.db)).map(({ madeBy }) => madeBy).sort()).toEqual([name, gone]);
  const chosen = (await listActivity(catalogue.db, { limit: 100 })).filter(
    ({ action }) => action === "password_changed",
  );
  expect(chosen.map(({ subject, after }) => [subject.name, after])).toEqual([
    ["cy@example.com", { by: `a link of ${name}` }],
    ["bea@example.com", { by: `a link of ${name}` }],
    ["ana@example.com", { by: `a link of ${gone}` }],
  ]);
  const told = await listActivity(catalogue.db, { actor: { kind: "user", userId: other.userId }, limit: 10 });
  expect(told.map(({ actor }) => actor.name)).toEqual([name]);
});

test.each([
  { key: "theirs by Activity", called: "Zelda Z", known: true, isForgotten: true },
  { key: "a namesake's by Activity", by: "other", called: "Zelda", known: true },
  { key: "a partner's by Activity", by: "partner", called: "Zelda", known: true },
  { key: "by their name", called: "Zelda", isForgotten: true },
  { key: "by their address", called: email, isForgotten: true },
  { key: "by their former name", called: "Zelda Born", isForgotten: true },
  { key: "by another name", by: "other", called: "Olga" },
])("a key without its maker's number: $key", async ({ by, called, known, isForgotten }) => {
  const operator = { name: "Zelda", isOperator: true };
  const { userId } = await createUser(catalogue, { ...operator, email }, 1);
  const other = await createUser(catalogue, { ...operator, email: "other@example.com" }, 1);
  const partner = { ...catalogue, actor: { kind: "partner" as const, name: called } };
  await addKey(by === "partner" ? partner : as(by === "other" ? other.userId : userId, called));
  // The program of before makes such keys, beside this one.
  await catalogue.db.updateTable("api_key").set({ made_by_user: null }).execute();
  if (!known) await forgetKeysInActivity();
  await createUser(as(userId, "Zelda Born"), { email: "bo@example.com", isOperator: false }, 1);
  await removeUser(catalogue, { email }, 3);
  const [key] = await listApiKeys(catalogue.db);
  expect(key?.madeBy).toBe(isForgotten ? `removed user ${userId}` : called);
});

test("of somebody who was invited and never came no address is left, whether it was withdrawn or not", async () => {
  const invitation = { email, publisherId, isOperator: false, madeBy: "the operator" };
  await invite(catalogue, { ...invitation, role: "editor" }, 1);
  const [listed] = await listInvitations(catalogue.db, publisherId, 2);
  await withdrawInvitation(catalogue, { publisherId, invitationId: listed?.invitationId ?? 0 });
  const open = await invite(catalogue, { ...invitation, publisherId: null, role: null, isOperator: true }, 2);
  await invite(catalogue, { ...invitation, email: `not-${email}`, role: "viewer" }, 2);
  expect((await everything()).match(/"zelda@/g)?.length).toBeGreaterThan(5);

  expect(await removeUser(catalogue, { email: " Zelda@Example.com " }, 3)).toEqual({ userId: null });

  expect((await everything()).replaceAll(`not-${email}`, "")).not.toMatch(/zelda/i);
  expect(await findLink(catalogue.db, open.token, 4)).toBeNull();
  expect(await listInvitations(catalogue.db, publisherId, 4)).toMatchObject([{ email: `not-${email}` }]);
  const name = "removed invitation";
  const told = (await listActivity(catalogue.db, { limit: 100 })).filter(
    ({ subject }) => subject.name === name,
  );
  expect(told.map(({ action }) => action)).toEqual(["removed", "invited", "withdrawn", "invited"]);
  expect(told[0]).toMatchObject({ before: { isInvited: true }, after: null, publisherId: null });
  await expect(removeUser(catalogue, { email }, 5)).rejects.toThrow("nobody has the address");
});

test("their address is free again, and their number is nobody else's", async () => {
  const { userId } = await createUser(catalogue, { email, isOperator: false }, 1);
  await removeUser(catalogue, { email }, 3);
  expect((await createUser(catalogue, { email, isOperator: false }, 4)).userId).toBeGreaterThan(userId);
});

test("the last operator stays, and nobody is removed twice", async () => {
  await createUser(catalogue, { email: "olga@example.com", isOperator: true }, 1);
  const last = removeUser(catalogue, { email: "olga@example.com" }, 3);
  await expect(last).rejects.toThrow("last operator");
  await expect(removeUser(catalogue, { email }, 3)).rejects.toThrow(CatalogueRefusal);
});
