import { scopes } from "@offers/contract/words";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newOperator, type Operator, testTime } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

const callback = "https://partner.example/callback";
const words = ["--redirect-uri", callback];

describe("partners", () => {
  test("are registered with a secret that is printed once, and listed without it", async () => {
    const made = await operator.done("partner create --name", "Reports & Co", ...words);
    expect(made).toEqual({
      clientId: expect.stringMatching(/^client_[\w-]{22}$/),
      clientSecret: expect.stringMatching(/^cs_[0-9A-Za-z]{43}$/),
    });
    expect(await operator.done("partner list")).toEqual([
      {
        clientId: made.clientId,
        name: "Reports & Co",
        applicationType: "web",
        isPublic: false,
        redirectUris: [callback],
        scopes,
        createdAt: testTime,
        revokedAt: null,
        liveGrants: 0,
      },
    ]);
    const forReading = await operator.run(["partner", "list"]);
    expect(forReading.out).toContain("web, with secret");
    expect(forReading.out).not.toContain(made.clientSecret.slice(3, 20));
    const kept = await operator.observe(({ stored }) => JSON.stringify(stored.table("oauth_client")));
    expect(kept).not.toContain(made.clientSecret.slice(3, 20));
  });

  test("without a secret, native, with several addresses and few scopes", async () => {
    const more = ["--redirect-uri", "http://127.0.0.1/callback", "--scopes", "reports:read,offers:read"];
    const made = await operator.done(
      "partner create --public --native --name",
      "Terminal",
      ...words,
      ...more,
    );
    expect(Object.keys(made)).toEqual(["clientId"]);
    expect(await operator.done("partner list")).toMatchObject([
      {
        applicationType: "native",
        isPublic: true,
        redirectUris: [callback, "http://127.0.0.1/callback"],
        scopes: ["offers:read", "reports:read"],
      },
    ]);
  });

  test.each([
    [
      "an address of plain http",
      ["--redirect-uri", "http://partner.example/"],
      "--redirect-uri: must begin with https://",
    ],
    [
      "an address with a fragment",
      ["--redirect-uri", `${callback}#x`],
      "--redirect-uri: must have no fragment",
    ],
    ["a scope that is none", [...words, "--scopes", "admin"], '--scopes: there is no scope "admin"'],
    ["no address", [], "--redirect-uri is missing"],
    ["an empty name", [...words, "--name="], "--name"],
  ])("with %s are refused, and nothing is kept", async (_, given, why) => {
    await operator.done("publisher create --name Pier");
    const name = given.some((word) => word.startsWith("--name")) ? [] : ["--name", "Partner"];
    const refused = await operator.run(["partner", "create", ...name, ...given]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(why);
    expect(await operator.done("partner list")).toEqual([]);
  });

  test("are given another secret, the old one with an end, until they are revoked", async () => {
    const { clientId, clientSecret } = await operator.done("partner create --name", "Partner", ...words);
    const rotated = await operator.done("partner rotate --client-id", clientId);
    expect(rotated).toEqual({
      clientId,
      clientSecret: expect.stringMatching(/^cs_[0-9A-Za-z]{43}$/),
      oldSecretExpiresAt: testTime + 24 * 60 * 60 * 1000,
    });
    expect(rotated.clientSecret).not.toBe(clientSecret);
    const kept = await operator.observe(({ stored }) => JSON.stringify(stored.table("oauth_row")));
    expect(kept).not.toContain(clientSecret.slice(3, 20));
    const open = await operator.done("partner create --public --name", "Phone", ...words);
    await operator.done("partner revoke --client-id", clientId);
    for (const [id, why] of [
      [clientId, "is revoked"],
      [open.clientId, "has no secret"],
      ["client_none", "no partner has the id"],
    ]) {
      const refused = await operator.run(["partner", "rotate", "--client-id", id ?? ""]);
      expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(`--client-id: ${why}`) });
    }
  });

  test("are given no overlap beyond a month, and keep their secret", async () => {
    const { clientId } = await operator.done("partner create --name", "Partner", ...words);
    const hours = ["--overlap-hours", "721"];
    const refused = await operator.run(["partner", "rotate", "--client-id", clientId, ...hours]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("must be at most 720") });
    const { newest } = await operator.beside(async (db) => ({
      newest: await db.selectFrom("oauth_row").selectAll().execute(),
    }));
    expect(newest).toEqual([]);
  });

  test("are revoked for good, once", async () => {
    const { clientId } = await operator.done("partner create --name", "Partner", ...words);
    const gone = { clientId, revokedAt: testTime, endedGrants: 0 };
    expect(await operator.done("partner revoke --client-id", clientId)).toEqual(gone);
    operator.outside.now += 1000;
    expect(await operator.done("partner revoke --client-id", clientId)).toEqual(gone);
    expect(await operator.run(["partner", "revoke", "--client-id", "client_none"])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--client-id: no partner has the id "client_none"'),
    });
  });
});
