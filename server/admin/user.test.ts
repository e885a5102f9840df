import { afterAll, expect, test } from "vitest";
import { newOperator } from "./operator-for-tests.ts";

const operator = newOperator();
afterAll(() => operator.leave());

const people = () => operator.done("user list");

test("somebody is saved, with a link by which they choose a password", async () => {
  const made = await operator.done("user create --operator --email Ada@Example.com");
  expect(made).toMatchObject({
    email: "ada@example.com",
    link: expect.stringMatching(/\/dash\/link\/[\w-]{43}$/),
  });
  expect(await people()).toMatchObject([
    { email: "ada@example.com", name: "ada", isOperator: true, hasPassword: false, memberships: [] },
  ]);
});

test.each(["user create --email eve@example.com", "user invite --email ada@example.com"])(
  "a link of an address that leads to this machine alone is noted: %s",
  async (line) => {
    const { code, err } = await operator.run(line.split(" "));
    expect(code).toBe(0);
    expect(err).toContain(
      "note: BASE_URL is not set: http://127.0.0.1:8787 is reached from this machine alone",
    );
  },
);

test("who has no session is listed as not signed in, and not as never seen", async () => {
  const { out } = await operator.run(["user", "list"]);
  expect(out).toMatch(/ada@example\.com .* not signed in now /);
});

test("an invitation makes nobody before it is followed", async () => {
  const { publisherId } = await operator.done("publisher create --name Pier");
  const before = (await people()).length;
  await operator.done("user invite --role owner --email bo@example.com --publisher", publisherId);
  expect(await people()).toHaveLength(before);
});

test("an invitation is listed until it is followed or taken back", async () => {
  const { publisherId } = await operator.done("publisher create --name Mole");
  await operator.done("user invite --operator --email slip@example.com");
  await operator.done("user invite --email slip@example.com --publisher", publisherId);
  const invited = async () =>
    (await operator.done("user list --invited")).filter(
      (one: { email: string }) => one.email === "slip@example.com",
    );
  expect(await invited()).toMatchObject([
    { publisherName: "Mole", role: "editor", isOperator: false },
    { publisherId: null, role: null, isOperator: true },
  ]);
  const listed = await operator.run(["user", "list"]);
  expect(listed.err).toMatch(
    /^note: invitations that nobody has followed yet: \d+ \(user list --invited\)\n$/,
  );
  const { out } = await operator.run(["user", "list", "--invited"]);
  expect(out).toMatch(/^E-MAIL +INVITED BY +UNTIL +WILL BE\n/);
  expect(out).toMatch(/slip@example\.com +the operator +2026-11-27 +operator\n/);
  expect(out).toMatch(/slip@example\.com +the operator +2026-11-27 +editor of Mole\n/);
  expect(await operator.done("user withdraw --email slip@example.com")).toEqual({
    email: "slip@example.com",
    withdrawn: 2,
  });
  expect(await invited()).toEqual([]);
});

test("a known address is given a link to choose another password, and an unknown one is refused", async () => {
  const made = await operator.done("user invite --email ada@example.com");
  expect(made.link).toContain("/dash/link/");
  const { code, err } = await operator.run("user invite --email nobody@example.com".split(" "));
  expect(code).toBe(2);
  expect(err).toContain("nobody has the address");
});

test.each([
  ["user create --email ada@example.com", "is somebody's already"],
  ["user create --email ada", "must be an e-mail address"],
  ["user invite --email x@example.com --role owner", "--publisher"],
  ["user invite --email x@example.com --publisher publisher_none", "no publisher"],
  ["user disable --email ada@example.com", "last operator"],
  ["user disable --email nobody@example.com", /nobody has the address "nobody@example.com"$/m],
  ["user remove --email ada@example.com --yes", "last operator"],
  ["user remove --email ada@example.com", "add --yes"],
  ["user remove --email nobody@example.com --yes", "nobody has the address"],
  ["user withdraw --email nobody@example.com", "has an invitation"],
])("%s is refused", async (command, says) => {
  const { code, err } = await operator.run(command.split(" "));
  expect(code).toBe(2);
  expect(err).toMatch(says);
});

test("whoever shuts out an address that was only invited is told how that is taken back", async () => {
  const hint = "(an invitation is taken back by user withdraw)";
  const refusalOf = async (words: string) => (await operator.run(words.split(" "))).err;
  await operator.done("user invite --operator --email hint@example.com");
  for (const words of ["user disable --email", "user invite --email"]) {
    expect(await refusalOf(`${words} Hint@example.com`)).toContain(`the address "hint@example.com" ${hint}`);
    expect(await refusalOf(`${words} unhinted@example.com`)).not.toContain(hint);
  }
  await operator.done("user withdraw --email hint@example.com");
  expect(await refusalOf("user disable --email hint@example.com")).not.toContain(hint);
});

test("somebody is shut out, and let in again", async () => {
  await operator.done("user create --email cy@example.com");
  expect(await operator.done("user disable --email cy@example.com")).toMatchObject({ isDisabled: true });
  expect(await people()).toContainEqual(
    expect.objectContaining({ email: "cy@example.com", disabledAt: expect.any(Number) }),
  );
  const publisher = (await operator.done("publisher create --name Quay")).publisherId;
  for (const words of [[], ["--operator"], ["--publisher", publisher]]) {
    const refused = await operator.run(["user", "invite", "--email", "cy@example.com", ...words]);
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(/^--email: is shut out .*user disable --undo/);
  }
  await operator.done("user disable --undo --email cy@example.com");
  await operator.done("user invite --email cy@example.com");
  expect(await people()).toContainEqual(
    expect.objectContaining({ email: "cy@example.com", disabledAt: null }),
  );
});

test("somebody is removed, and their address is free", async () => {
  const before = await people();
  await operator.done("user create --email di@example.com");
  const { code, out, err } = await operator.run("user remove --email di@example.com --yes".split(" "));
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining("backups") });
  expect(out).not.toContain("di@");
  expect(await people()).toEqual(before);
});

test("somebody who was invited and never came is forgotten", async () => {
  await operator.done("user invite --operator --email eli@example.com");
  expect(await operator.done("user remove --yes --email eli@example.com")).toEqual({
    userId: null,
    keys: [],
    secrets: [],
  });
  expect(JSON.stringify(await operator.done("activity list --limit 1000"))).not.toContain("eli@");
  const { code, err } = await operator.run("user remove --yes --email eli@example.com".split(" "));
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("nobody has the address") });
});

test("whoever shuts somebody out, or removes them, is told which of their keys go on", async () => {
  await operator.done("user create --email fay@example.com");
  const { publisherId } = await operator.done("publisher create --name Mole");
  const { keyId } = await operator.done("key create --publisher", publisherId);
  const other = await operator.done("key create --publisher", publisherId);
  await operator.beside(async (db) => {
    const fay = await db
      .selectFrom("user")
      .select("id")
      .where("email", "=", "fay@example.com")
      .executeTakeFirstOrThrow();
    await db.updateTable("api_key").set({ made_by_user: fay.id }).where("id", "=", keyId).execute();
  });
  for (const command of ["disable", "remove --yes"]) {
    const { code, out, err } = await operator.run(`user ${command} --email fay@example.com`.split(" "));
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining(`--key-id ${keyId}`) });
    expect(out + err).not.toContain(other.keyId);
    if (command === "disable") {
      const again = await operator.done("user disable --email fay@example.com");
      expect(again).toMatchObject({ keys: [{ keyId, publisherId }], secrets: [] });
      const undone = await operator.run("user disable --undo --email fay@example.com".split(" "));
      expect(undone.err).toBe("");
    }
  }
});
