import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { UnknownSubject } from "./catalogue-refusal.ts";
import { invite } from "./invitations.ts";
import { redeemLink } from "./redeem-link.ts";
import { createUserWithLink, findLink, makeLinkFor, makeSetUpLink } from "./sign-in-links.ts";
import { setUserDisabled } from "./user-access.ts";
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
  expect(await catalogue.count("sign_in_link")).toBe(0);
  await setUserDisabled(catalogue, { email, isDisabled: false }, 1);
  await makeLinkFor(catalogue, link, 1);
});
