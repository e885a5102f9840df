import { scopes } from "@offers/contract/words";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newOperator, type Operator, setUp, testTime } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

describe("keys", () => {
  test("are printed once, and listed by their beginning and last four characters", async () => {
    const { publisherId } = await setUp(operator);
    const { key, keyId, ...rest } = await operator.done("key create --publisher", publisherId);
    expect(rest).toEqual({});
    expect(key).toMatch(/^sk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    expect(await operator.done("key list")).toEqual([
      {
        keyId,
        name: "",
        madeBy: null,
        publisherId,
        websiteKey: null,
        prefix: `sk_${keyId}`,
        lastFour: key.slice(-4),
        scopes,
        createdAt: testTime,
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      },
    ]);
    const forReading = await operator.run(["key", "list"]);
    expect(forReading.out).toContain("live");
    expect(forReading.out).not.toContain(key.slice(-20));
  });

  test("have scopes, an end and a website when they are given", async () => {
    const { publisherId, websiteKey } = await setUp(operator);
    const words = [
      "--scopes",
      "reports:read,offers:read",
      "--days",
      "90",
      "--website",
      websiteKey,
      "--name",
      "Nightly",
    ];
    await operator.done("key create --publisher", publisherId, ...words);
    expect(await operator.done("key list --publisher", publisherId)).toMatchObject([
      {
        websiteKey,
        name: "Nightly",
        scopes: ["offers:read", "reports:read"],
        expiresAt: testTime + 90 * 86_400_000,
      },
    ]);
  });

  test("are told apart in the list for reading by their names, a dash where there is none", async () => {
    const { publisherId } = await setUp(operator);
    await operator.done("key create --publisher", publisherId, "--name", "Nightly report");
    operator.outside.now += 1;
    await operator.done("key create --publisher", publisherId);
    const { out } = await operator.run(["key", "list"]);
    expect(out).toMatch(/^KEY .* MADE BY +NAME\n.* - +Nightly report\n.* - +-\n$/);
  });

  test("are not issued with a name that nobody could read", async () => {
    const { publisherId } = await setUp(operator);
    const { code, err } = await operator.run(["key", "create", "--publisher", publisherId, "--name", " "]);
    expect([code, err]).toEqual([2, expect.stringContaining("--name: must not be empty")]);
    expect(await operator.done("key list")).toEqual([]);
  });

  test("are not issued for a website that is not the publisher's", async () => {
    const { publisherId } = await setUp(operator);
    const words = ["key", "create", "--publisher", publisherId, "--website", "ws_none"];
    expect(await operator.run(words)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--website: the publisher has no website with the key "ws_none"'),
    });
    expect(await operator.done("key list")).toEqual([]);
  });

  test("are rotated with an overlap, and revoked for good", async () => {
    const { publisherId } = await setUp(operator);
    const { keyId } = await operator.done("key create --publisher", publisherId);
    const rotated = await operator.done("key rotate --overlap-hours 48 --key-id", keyId);
    expect(rotated).toMatchObject({ oldKeyId: keyId, oldKeyExpiresAt: testTime + 48 * 3_600_000 });
    expect(await operator.done("key revoke --key-id", rotated.keyId)).toEqual({
      keyId: rotated.keyId,
      revokedAt: testTime,
    });
    expect((await operator.run(["key", "list"])).out).toMatch(/revoked/);
    const again = await operator.run(["key", "rotate", "--key-id", rotated.keyId]);
    expect(again).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("--key-id: is revoked already"),
    });
  });

  test.each([
    [
      "an unknown publisher",
      ["key", "create", "--publisher", "publisher_x"],
      /--publisher: no publisher has the id/,
    ],
    [
      "an unknown scope",
      ["key", "create", "--publisher", "publisher_x", "--scopes", "offers:write"],
      /--scopes: there is no scope "offers:write", only decision:read/,
    ],
    [
      "an empty website",
      ["key", "create", "--publisher", "publisher_x", "--website", ""],
      /--website: must not be empty/,
    ],
    [
      "no day",
      ["key", "create", "--publisher", "publisher_x", "--days", "0"],
      /--days: must be at least 1 \(given: 0\)/,
    ],
    [
      "days beyond the calendar",
      ["key", "create", "--publisher", "publisher_x", "--days", "99999999999"],
      /--days: must be at most 3650/,
    ],
    [
      "an overlap beyond it",
      ["key", "rotate", "--key-id", "x", "--overlap-hours", "9999999999999"],
      /--overlap-hours: must be at most 720/,
    ],
    ["no scope", ["key", "create", "--publisher", "publisher_x", "--scopes", ""], /--publisher|--scopes/],
    ["an unknown key", ["key", "revoke", "--key-id", "x"], /--key-id: no API key has the id "x"/],
    ["an unknown website", ["secret", "create", "--website", "ws_x"], /--website: no website has the key/],
    [
      "an unknown secret",
      ["secret", "revoke", "--secret-id", "x"],
      /--secret-id: no integration secret has the id/,
    ],
  ])("are refused for %s, and nothing is issued", async (_name, args, message) => {
    await operator.done("publisher create --name Pier");
    const { code, out, err } = await operator.run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
    expect(await operator.done("key list")).toEqual([]);
    expect(await operator.done("secret list")).toEqual([]);
  });
});

describe("secrets", () => {
  test("are printed once, listed by their last four characters, and revoked", async () => {
    const { websiteKey } = await setUp(operator);
    const { secret, secretId } = await operator.done("secret create --website", websiteKey);
    expect(secret).toMatch(/^its_[0-9A-Za-z]{32}$/);
    expect(await operator.done("secret list --website", websiteKey)).toEqual([
      { secretId, websiteKey, lastFour: secret.slice(-4), createdAt: testTime, revokedAt: null },
    ]);
    await operator.done("secret revoke --secret-id", secretId);
    expect((await operator.run(["secret", "list"])).out).toMatch(/revoked/);
  });
});

test.each(["key", "secret", "partner"])("a %s that was revoked before is said to have been", async (noun) => {
  const { publisherId, websiteKey } = await setUp(operator);
  const { keyId } = await operator.done("key create --publisher", publisherId);
  const { secretId } = await operator.done("secret create --website", websiteKey);
  const partner = ["--name", "P", "--redirect-uri", "https://p.example/back"];
  const { clientId } = await operator.done("partner create", ...partner);
  const options: Record<string, string[]> = {
    key: ["--key-id", keyId],
    secret: ["--secret-id", secretId],
    partner: ["--client-id", clientId],
  };
  const words = options[noun] ?? [];
  const first = await operator.run([noun, "revoke", ...words]);
  expect(first).toMatchObject({ code: 0, err: "" });
  operator.outside.now += 1;
  expect(await operator.run([noun, "revoke", ...words])).toEqual({
    ...first,
    err: "note: it was revoked before: nothing was changed\n",
  });
});

test("no credential stands in the database file in a readable form", async () => {
  const { publisherId, websiteKey } = await setUp(operator);
  const { key } = await operator.done("key create --publisher", publisherId);
  const { secret } = await operator.done("secret create --website", websiteKey);
  const dump = await operator.observe((observed) => observed.dump());
  expect(dump).toContain(websiteKey);
  expect(dump).not.toContain(key.slice(16, 48));
  expect(dump).not.toContain(secret.slice(4));
});

test("a key that was given an end beyond the calendar is listed, and rotated", async () => {
  const { publisherId } = await setUp(operator);
  const { keyId } = await operator.done("key create --publisher", publisherId);
  await operator.beside((db) => db.updateTable("api_key").set({ expires_at: 9e15 }).execute());
  const { code, out } = await operator.run(["key", "list"]);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^${keyId} +live .* never `, "m"));
  await operator.done("key rotate --key-id", keyId);
});
