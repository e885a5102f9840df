import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fillFixture } from "../../testing/fixture.ts";
import { listActivity } from "./activity.ts";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { CatalogueRefusal, UnknownSubject } from "./catalogue-refusal.ts";
import {
  invite,
  listInvitations,
  listPendingInvitations,
  withdrawInvitation,
  withdrawInvitationsOf,
} from "./invitations.ts";
import { redeemLink } from "./redeem-link.ts";
import { createUserWithLink, findLink, makeLinkFor, makeSetUpLink } from "./sign-in-links.ts";
import { putMember } from "./team-members.ts";
import { setUserDisabled, setUserOperator } from "./user-access.ts";
import { createUser } from "./users.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

test("of links that are made at one moment the last is good, and no other", async () => {
  const email = "ada@example.com";
  await createUser(catalogue, { email, isOperator: false }, 1);
  const link = { kind: "password" as const, email, madeBy: "tests" };
  for (let round = 0; round < 10; round += 1) {
    const made = await Promise.all(Array.from({ length: 4 }, () => makeLinkFor(catalogue, link, 1)));
    const found = await Promise.all(made.map(({ token }) => findLink(catalogue.db, token, 2)));
    expect(found.filter((one) => one !== null)).toHaveLength(1);
  }
});

test("a link for the first user of all is good until there is one, however they came", async () => {
  const link = await makeSetUpLink(catalogue, 1);
  const isGood = async () => (await findLink(catalogue.db, link?.token ?? "", 2)) !== null;
  expect(await isGood()).toBe(true);
  await createUser(catalogue, { email: "ada@example.com", isOperator: true }, 1);
  expect(await isGood()).toBe(false);
  const redeemed = redeemLink(
    catalogue,
    {
      ...{ token: link?.token ?? "", email: "eve@example.com", passwordHash: "x", byUserId: null },
      session: { hash: "h", agent: "Firefox" },
    },
    2,
  );
  await expect(redeemed).rejects.toThrow(UnknownSubject);
  expect(await catalogue.count("user")).toBe(1);
});

test("somebody is saved together with their link, or not at all", async () => {
  const ada = { email: "ada@example.com", isOperator: false, madeBy: "tests" };
  await catalogue.db.schema.alterTable("sign_in_link").renameTo("elsewhere").execute();
  await expect(createUserWithLink(catalogue, ada, 1)).rejects.toThrow();
  expect(await catalogue.count("user")).toBe(0);
  await catalogue.db.schema.alterTable("elsewhere").renameTo("sign_in_link").execute();
  const { token, email } = await createUserWithLink(catalogue, ada, 1);
  expect(await findLink(catalogue.db, token, 2)).toMatchObject({ email, kind: "password" });
});

test("nobody who is shut out is given a link that would open nothing", async () => {
  const email = "ada@example.com";
  await createUser(catalogue, { email, isOperator: false }, 1);
  await setUserDisabled(catalogue, { email, isDisabled: true }, 1);
  const link = { kind: "password" as const, email, madeBy: "tests" };
  const refusal = { problems: [{ field: "email", message: expect.stringContaining("user disable --undo") }] };
  await expect(makeLinkFor(catalogue, link, 1)).rejects.toMatchObject(refusal);
  const invitation = { email, publisherId: null, role: null, isOperator: true, madeBy: "tests" };
  await expect(invite(catalogue, invitation, 1)).rejects.toMatchObject(refusal);
  const operator = await createUser(catalogue, { email: "olga@example.com", isOperator: true }, 1);
  const byOperator = { ...catalogue, actor: { kind: "user" as const, ...operator, name: "Olga" } };
  await expect(invite(byOperator, invitation, 1)).rejects.toMatchObject(refusal);
  expect(await catalogue.count("sign_in_link")).toBe(0);
  await setUserDisabled(catalogue, { email, isDisabled: false }, 1);
  await makeLinkFor(catalogue, link, 1);
});

test("an owner who invites somebody that is shut out gets a link, which opens nothing while they are", async () => {
  await fillFixture(catalogue, 1);
  const [email, publisherId] = ["ada@example.com", "publisher_a"];
  const ada = await createUser(catalogue, { email, isOperator: false }, 1);
  const owner = await createUser(catalogue, { email: "olga@example.com", isOperator: false }, 1);
  await putMember(catalogue.db, { userId: owner.userId, publisherId, role: "owner" }, 1);
  await setUserDisabled(catalogue, { email, isDisabled: true }, 1);
  const { token } = await invite(
    { ...catalogue, actor: { kind: "user", ...owner, name: "Olga" } },
    { email, publisherId, role: "viewer", isOperator: false, madeBy: "Olga" },
    1,
  );
  // As of anybody else who has an account.
  expect(await findLink(catalogue.db, token, 2)).toMatchObject({ kind: "invitation", hasAccount: true });
  const redeem = (byUserId: number | null) =>
    redeemLink(
      catalogue,
      { token, email, passwordHash: "x", byUserId, session: { hash: "h", agent: "Firefox" } },
      2,
    );
  await expect(redeem(null)).rejects.toThrow(UnknownSubject);
  await expect(redeem(ada.userId)).rejects.toThrow(UnknownSubject);
  await setUserDisabled(catalogue, { email, isDisabled: false }, 1);
  expect(await redeem(ada.userId)).toEqual({ userId: ada.userId, hasBegun: false });
});

test.each([
  ["a team's, by an owner", { publisherId: "publisher_a" }, { role: "owner" as const }, true],
  ["a team's, by an operator", { publisherId: "publisher_a" }, { isOperator: true }, true],
  ["a team's, by who owns it no more", { publisherId: "publisher_a" }, { role: "editor" as const }, false],
  ["a team's, by who has left it", { publisherId: "publisher_a" }, {}, false],
  ["an operator's, by who is none any more", { publisherId: null }, { role: "owner" as const }, false],
  ["an operator's, by an operator", { publisherId: null }, { isOperator: true }, true],
  [
    "one by who is shut out",
    { publisherId: "publisher_a" },
    { role: "owner" as const, isOperator: true, disabledAt: 1 },
    false,
  ],
])("%s gives what its maker may give when it is followed", async (_, { publisherId }, maker, isGood) => {
  const {
    isOperator = false,
    role,
    disabledAt = null,
  } = { role: undefined, ...maker } as {
    isOperator?: boolean;
    role?: "owner" | "editor";
    disabledAt?: number;
  };
  await fillFixture(catalogue, 1);
  const { userId } = await createUser(catalogue, { email: "ada@example.com", isOperator }, 1);
  if (role !== undefined) {
    await putMember(catalogue.db, { userId, publisherId: "publisher_a", role }, 1);
  }
  // Made while they left: those that were there before ended with it.
  const { token } = await invite(
    { ...catalogue, actor: { kind: "user", userId, name: "Ada" } },
    {
      ...{ email: "eve@example.com", publisherId, isOperator: publisherId === null, madeBy: "Ada" },
      role: publisherId === null ? null : "owner",
    },
    1,
  );
  await catalogue.db.updateTable("user").set({ disabled_at: disabledAt }).where("id", "=", userId).execute();
  expect((await findLink(catalogue.db, token, 2)) !== null).toBe(isGood);
  const session = { hash: "h", agent: "Firefox" };
  const redeemed = redeemLink(
    catalogue,
    { token, email: null, passwordHash: "x", byUserId: null, session },
    2,
  );
  if (isGood) expect(await redeemed).toMatchObject({ hasBegun: true });
  else await expect(redeemed).rejects.toThrow(UnknownSubject);
});

test("a password that is chosen by a link is told with who made the link", async () => {
  const email = "ada@example.com";
  await createUser(catalogue, { email, isOperator: false }, 1);
  const { token } = await makeLinkFor(catalogue, { kind: "password", email, madeBy: "Olga" }, 1);
  const given = { token, email: null, passwordHash: "x", byUserId: null };
  await redeemLink(catalogue, { ...given, session: { hash: "h", agent: "Firefox" } }, 2);
  expect(await listActivity(catalogue.db, { limit: 2 })).toMatchObject([
    { action: "password_changed", after: { by: "a link of Olga" } },
    { action: "password_link_made", after: { by: "Olga" } },
  ]);
});

const toOperate = { publisherId: null, role: null, isOperator: true, madeBy: "the operator" };

const pending = async () =>
  (await listPendingInvitations(catalogue.db, 2)).map(({ publisherId, isOperator }) => ({
    publisherId,
    isOperator,
  }));

test("whoever is invited twice to operate the service has the last invitation alone", async () => {
  const email = "ada@example.com";
  await fillFixture(catalogue, 1);
  const toTeam = { ...toOperate, publisherId: "publisher_a", role: "viewer" as const, isOperator: false };
  const team = await invite(catalogue, { ...toTeam, email }, 1);
  const first = await invite(catalogue, { ...toOperate, email }, 1);
  const others = await invite(catalogue, { ...toOperate, email: "bo@example.com" }, 1);
  const last = await invite(catalogue, { ...toOperate, email: "Ada@Example.com" }, 1);
  expect(await findLink(catalogue.db, first.token, 2)).toBeNull();
  for (const { token } of [team, others, last]) {
    expect(await findLink(catalogue.db, token, 2)).toMatchObject({ kind: "invitation" });
  }
});

test("an invitation to operate the service leaves of an earlier one into a team as well the team alone", async () => {
  const email = "ada@example.com";
  await fillFixture(catalogue, 1);
  const toBoth = { ...toOperate, email, publisherId: "publisher_a", role: "viewer" as const };
  const { token } = await invite(catalogue, toBoth, 1);
  await invite(catalogue, { ...toOperate, email }, 1);
  expect(await pending()).toEqual([
    { publisherId: null, isOperator: true },
    { publisherId: "publisher_a", isOperator: false },
  ]);
  expect(await findLink(catalogue.db, token, 2)).toMatchObject({ role: "viewer" });
  await invite(catalogue, toBoth, 1);
  expect(await pending()).toEqual([{ publisherId: "publisher_a", isOperator: true }]);
});

test("Activity tells of an invitation into a team and to operate the service both", async () => {
  const email = "ada@example.com";
  await fillFixture(catalogue, 1);
  const toBoth = { ...toOperate, email, publisherId: "publisher_a", role: "viewer" as const };
  await invite(catalogue, toBoth, 1);
  await withdrawInvitationsOf(catalogue, { email }, 2);
  await invite(catalogue, toBoth, 3);
  const [invitation] = await listInvitations(catalogue.db, "publisher_a", 4);
  const invitationId = invitation?.invitationId ?? 0;
  await withdrawInvitation(catalogue, { publisherId: "publisher_a", invitationId });
  const both = { role: "viewer", isOperator: true };
  expect(await listActivity(catalogue.db, { limit: 4 })).toMatchObject([
    { action: "withdrawn", before: both },
    { action: "invited", after: both },
    { action: "withdrawn", before: both },
    { action: "invited", after: both },
  ]);
  // A team learns nothing of who operates the service, nor that somebody does no more.
  const [told] = await listActivity(catalogue.db, {
    publisherId: "publisher_a",
    limit: 1,
    isForPublisher: true,
  });
  expect(told?.before).toEqual({ role: "viewer" });
});

test.each([
  ["is no operator any more", (email: string) => setUserOperator(catalogue, { email, isOperator: false })],
  ["is shut out", (email: string) => setUserDisabled(catalogue, { email, isDisabled: true }, 2)],
])(
  "who %s has no invitation left to operate the service, and those into teams as before",
  async (_, ends) => {
    const email = "ada@example.com";
    await fillFixture(catalogue, 1);
    await createUser(catalogue, { email: "olga@example.com", isOperator: true }, 1);
    await createUser(catalogue, { email, isOperator: true }, 1);
    const toTeam = { email, madeBy: "Olga", role: "viewer" as const };
    await invite(catalogue, { ...toTeam, publisherId: "publisher_a", isOperator: false }, 1);
    await invite(catalogue, { ...toTeam, publisherId: "publisher_b", isOperator: true }, 1);
    await invite(catalogue, { ...toOperate, email }, 1);
    expect(await pending()).toHaveLength(3);
    await ends(email);
    expect(await pending()).toEqual([
      { publisherId: "publisher_b", isOperator: false },
      { publisherId: "publisher_a", isOperator: false },
    ]);
  },
);

test("what is taken back are all invitations of one address that are not over", async () => {
  const email = "ada@example.com";
  const { token } = await invite(catalogue, { ...toOperate, email }, 1);
  const { expiresAt } = await invite(catalogue, { ...toOperate, email: "bo@example.com" }, 1);
  expect(await withdrawInvitationsOf(catalogue, { email }, 2)).toEqual({ email, withdrawn: 1 });
  expect(await findLink(catalogue.db, token, 2)).toBeNull();
  for (const [address, now] of [
    [email, 2],
    ["bo@example.com", expiresAt],
  ] as const) {
    await expect(withdrawInvitationsOf(catalogue, { email: address }, now)).rejects.toThrow(CatalogueRefusal);
  }
  expect(await pending()).toHaveLength(1);
});
