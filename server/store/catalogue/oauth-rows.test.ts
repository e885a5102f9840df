import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publisherId } from "@offers/contract/ids";
import { oauthLifetimes } from "@offers/contract/oauth";
import { CompiledQuery } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AccessToken, ConsentAnswer, NewGrant, OauthRow } from "../../core/oauth.ts";
import { fillFixture } from "../../testing/fixture.ts";
import { findAccessToken } from "../postgres/find-access-token.ts";
import { prepareFindAccessToken } from "../sqlite/access-tokens.ts";
import { openDatabase } from "../sqlite/database.ts";
import { listActivity } from "./activity.ts";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { UnknownSubject } from "./catalogue-refusal.ts";
import { createPartner, findPartner, listPartners, revokePartner } from "./oauth-clients.ts";
import { answerConsent } from "./oauth-consents.ts";
import { createGrant, endGrant, listGrants, revokeGrant } from "./oauth-grants.ts";
import {
  consumeOauthRow,
  findOauthRow,
  mostInteractions,
  removeOauthRow,
  saveOauthRow,
} from "./oauth-rows.ts";
import { putMember } from "./team-members.ts";
import { setUserDisabled } from "./user-access.ts";
import { createUser } from "./users.ts";

let parent: string;
let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), "oauth-rows-"));
});
beforeEach(async () => {
  catalogue = await newCatalogue(parent);
  // Of the connections below that are about no partner in particular.
  await catalogue.db
    .insertInto("oauth_client")
    .values({
      ...{ id: "client_x", name: "X", application_type: "web", secret_hash: null, created_at: 0 },
      ...{ redirect_uris_json: "[]", scopes_json: "[]", revoked_at: null, changed: 0 },
    })
    .execute();
  return () => catalogue.close();
});
afterAll(() => rmSync(parent, { recursive: true }));

const row = (changes: Partial<OauthRow> = {}) => ({
  model: "AccessToken",
  idHash: "hash",
  payload: { scope: "reports:read", clientId: "client_x" },
  grantId: "grant",
  expiresAt: 2000,
  ...changes,
});
const key = { model: "AccessToken", idHash: "hash" };
const grant = (changes: Partial<NewGrant> = {}): NewGrant => ({
  grantId: "grant",
  clientId: "client_x",
  userId: 1,
  publisherId: publisherId.parse("publisher_a"),
  scopes: ["reports:read"],
  at: 1000,
  ...changes,
});
const answer = (changes: Partial<ConsentAnswer> = {}): ConsentAnswer => ({
  ...key,
  result: { login: 1 },
  grant: grant(),
  at: 1000,
  ...changes,
});
/** What the service finds of the token, by the engine's own look. */
const tokenOf = async (): Promise<AccessToken | null> => {
  const { address, db } = catalogue;
  if (address.engine === "sqlite") {
    const service = openDatabase(address);
    const found = prepareFindAccessToken(service.sqlite)("hash");
    await service.db.destroy();
    return found;
  }
  const ask = async <Row>(statement: string, values: readonly unknown[] = []) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(statement, [...values]))).rows;
  return findAccessToken(ask, "hash");
};

describe("a person's answer", () => {
  const grants = () => listGrants(catalogue.db, { publisherId: "publisher_a", now: 1000 });
  beforeEach(async () => {
    await fillFixture(catalogue, 1);
    const { userId } = await createUser(catalogue, { email: "ada@example.com", isOperator: false }, 1);
    expect(userId).toBe(grant().userId);
    await putMember(catalogue.db, { userId, publisherId: "publisher_a", role: "editor" }, 1);
  });

  it("is kept with its connection, and no other one after it or beside it", async () => {
    await saveOauthRow(catalogue, row());
    const answers = [
      { result: { login: 1 }, grant: grant() },
      { result: { login: 2 }, grant: grant({ grantId: "other" }) },
      { result: { error: "access_denied" }, grant: null },
    ];
    const kept = await Promise.all(answers.map((one) => answerConsent(catalogue, answer(one))));
    // Which of them is the first is for the database to say.
    const [first, ...others] = answers.filter((_, index) => kept[index] === "kept");
    expect(others).toEqual([]);
    expect(await answerConsent(catalogue, answer({ grant: grant({ grantId: "late" }) }))).toBe("not_asked");
    const connected = first?.grant ? [first.grant.grantId] : [];
    expect((await grants()).map(({ grantId }) => grantId)).toEqual(connected);
    const { payload } = (await findOauthRow(catalogue, { ...key, now: 1 })) ?? {};
    expect(payload).toEqual({ ...row().payload, result: first?.result });
  });

  it("is none to a question that nobody has asked", async () => {
    expect(await answerConsent(catalogue, answer())).toBe("not_asked");
    expect(await grants()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      "who has left the team",
      () => catalogue.db.deleteFrom("member").where("user_id", "=", grant().userId).execute(),
    ],
    [
      "who only looks at the publisher",
      () =>
        putMember(catalogue.db, { userId: grant().userId, publisherId: "publisher_a", role: "viewer" }, 1),
    ],
    ["who is shut out", () => setUserDisabled(catalogue, { email: "ada@example.com", isDisabled: true }, 1)],
    ["to a partner that is revoked", () => revokePartner(catalogue, "client_x", 1)],
  ])(
    "connects nothing when it is of one %s, and uses the question up no more than that",
    async (_, happens) => {
      await saveOauthRow(catalogue, row());
      await saveOauthRow(catalogue, row({ idHash: "asked", grantId: null }));
      await happens();
      const asked = { ...answer(), idHash: "asked" };
      expect(await answerConsent(catalogue, asked)).toBe("not_allowed");
      expect(await grants()).toEqual([]);
      expect(await answerConsent(catalogue, { ...asked, grant: null })).toBe("kept");
    },
  );
});

it("is not written for one more consent than may wait, and is for all else", async () => {
  const asked = (idHash: string) => row({ model: "Interaction", idHash, grantId: null });
  const { model, payload, expiresAt } = asked("");
  const kept = { model, payload_json: JSON.stringify(payload), expires_at: expiresAt };
  const columns = { ...kept, grant_id: null, consumed_at: null };
  const waiting = Array.from({ length: mostInteractions - 1 }, (_, at) => ({ ...columns, id_hash: `${at}` }));
  for (let at = 0; at < waiting.length; at += 5000) {
    await catalogue.db
      .insertInto("oauth_row")
      .values(waiting.slice(at, at + 5000))
      .execute();
  }
  expect(await saveOauthRow(catalogue, asked("last"))).toBe(true);
  expect(await saveOauthRow(catalogue, asked("too many"))).toBe(false);
  expect(await findOauthRow(catalogue, { model, idHash: "too many", now: 1 })).toBeNull();
  expect(await saveOauthRow(catalogue, asked("last"))).toBe(true);
  expect(await saveOauthRow(catalogue, row())).toBe(true);
  await removeOauthRow(catalogue, { model, idHash: "0" });
  expect(await saveOauthRow(catalogue, asked("too many"))).toBe(true);
});

describe("a row", () => {
  it("is found until its end, by its kind and its hash alone", async () => {
    await saveOauthRow(catalogue, row());
    expect(await findOauthRow(catalogue, { ...key, now: 1999 })).toEqual(row({ consumedAt: null }));
    expect(await findOauthRow(catalogue, { ...key, now: 2000 })).toBeNull();
    expect(await findOauthRow(catalogue, { ...key, model: "RefreshToken", now: 1 })).toBeNull();
    await removeOauthRow(catalogue, key);
    expect(await findOauthRow(catalogue, { ...key, now: 1 })).toBeNull();
  });

  it("is used once, and saving it again does not bring it back", async () => {
    await saveOauthRow(catalogue, row());
    const uses = await Promise.all([1, 2, 3].map((at) => consumeOauthRow(catalogue, { ...key, at })));
    expect(uses.filter(Boolean)).toHaveLength(1);
    await saveOauthRow(catalogue, row({ payload: { changed: true } }));
    expect(await findOauthRow(catalogue, { ...key, now: 1 })).toMatchObject({
      payload: { changed: true },
      consumedAt: expect.any(Number),
    });
    expect(await consumeOauthRow(catalogue, { ...key, at: 4 })).toBe(false);
    expect(await consumeOauthRow(catalogue, { ...key, idHash: "none", at: 4 })).toBe(false);
  });

  it("is no change of the catalogue, for nobody holds a copy", async () => {
    const before = await catalogue.version();
    await saveOauthRow(catalogue, row());
    await consumeOauthRow(catalogue, { ...key, at: 1 });
    expect(await catalogue.version()).toBe(before);
  });
});

describe("an access token", () => {
  it("opens what its connection and its own scopes allow", async () => {
    await saveOauthRow(catalogue, row());
    expect(await tokenOf()).toBeNull();
    await createGrant(catalogue, grant());
    expect(await tokenOf()).toEqual({
      grantId: "grant",
      clientId: "client_x",
      publisherId: "publisher_a",
      scopes: ["reports:read"],
      expiresAt: 2000,
    });
  });

  it("is over with its connection", async () => {
    const end = 1000 + oauthLifetimes.connectionSeconds * 1000;
    await createGrant(catalogue, grant());
    await saveOauthRow(catalogue, row({ expiresAt: end - 1 }));
    expect(await tokenOf()).toMatchObject({ expiresAt: end - 1 });
    await saveOauthRow(catalogue, row({ expiresAt: end + 1 }));
    expect(await tokenOf()).toMatchObject({ expiresAt: end });
  });

  it("opens nothing that was ended, even one that came in the same moment and was kept after the end", async () => {
    await createGrant(catalogue, grant());
    await endGrant(catalogue, { grantId: "grant", at: 1500 });
    await saveOauthRow(catalogue, row());
    expect(await tokenOf()).toBeNull();
  });

  it("is nothing that another kind of row is", async () => {
    await createGrant(catalogue, grant());
    await saveOauthRow(catalogue, row({ model: "RefreshToken" }));
    expect(await tokenOf()).toBeNull();
  });
});

describe("a connection", () => {
  it("ends with its rows, in one version of the catalogue, and once", async () => {
    const { clientId } = await createPartner(catalogue, partner, 1000);
    await createGrant(catalogue, grant({ clientId }));
    await createGrant(catalogue, grant({ clientId, grantId: "other" }));
    await saveOauthRow(catalogue, row());
    await saveOauthRow(catalogue, row({ idHash: "of the other", grantId: "other" }));
    const before = await catalogue.version();
    await endGrant(catalogue, { grantId: "grant", at: 1500 });
    await endGrant(catalogue, { grantId: "grant", at: 1600 });
    await endGrant(catalogue, { grantId: "unknown", at: 1600 });
    expect(await catalogue.version()).toBe(before + 1);
    expect(await findOauthRow(catalogue, { ...key, now: 1 })).toBeNull();
    expect(await findOauthRow(catalogue, { ...key, idHash: "of the other", now: 1 })).not.toBeNull();
    const left = await listGrants(catalogue.db, { publisherId: "publisher_a", now: 1700 });
    expect(left.map(({ grantId }) => grantId)).toEqual(["other"]);
  });

  it("that is ended by several at once is told of once", async () => {
    await createGrant(catalogue, grant());
    await Promise.all([1, 2, 3].map((at) => endGrant(catalogue, { grantId: "grant", at })));
    const told = await listActivity(catalogue.db, { limit: 10 });
    expect(told.map(({ action }) => action)).toEqual(["disconnected", "connected"]);
  });

  it("is ended by its own publisher alone", async () => {
    await createGrant(catalogue, grant());
    const as = (owner: string) => revokeGrant(catalogue, { grantId: "grant", publisherId: owner, at: 1500 });
    await saveOauthRow(catalogue, row());
    await expect(as("publisher_b")).rejects.toThrow(UnknownSubject);
    expect(await tokenOf()).not.toBeNull();
    await as("publisher_a");
    expect(await tokenOf()).toBeNull();
  });

  it("is listed with its partner until thirty days have passed", async () => {
    const { clientId } = await createPartner(catalogue, partner, 1000);
    await createGrant(catalogue, grant({ clientId }));
    const days = 30 * 24 * 60 * 60 * 1000;
    const at = (now: number) => listGrants(catalogue.db, { publisherId: "publisher_a", now });
    expect(await at(1000 + days - 1)).toMatchObject([{ partner: "Partner", endsAt: 1000 + days }]);
    expect(await at(1000 + days)).toEqual([]);
    const live = async (now: number) =>
      (await listPartners(catalogue.db, now))
        .filter((one) => one.clientId === clientId)
        .map(({ liveGrants }) => liveGrants);
    expect([await live(1000 + days - 1), await live(1000 + days)]).toEqual([[1], [0]]);
  });
});

describe("connections that came to their end by themselves", () => {
  const days = oauthLifetimes.connectionSeconds * 1000;
  const ends = async () =>
    (await listActivity(catalogue.db, { limit: 100 }))
      .filter(({ action }) => action === "disconnected")
      .map(({ subject }) => subject.id);

  it("are neither counted nor told of when their partner is revoked", async () => {
    const { clientId } = await createPartner(catalogue, partner, 1000);
    for (const [grantId, at] of [
      ["old", 1000],
      ["at its end", 2000],
      ["live", 2001],
    ] as const)
      await createGrant(catalogue, grant({ clientId, grantId, at }));
    const { endedGrants } = await revokePartner(catalogue, clientId, 2000 + days);
    expect(endedGrants).toBe(1);
    expect(await ends()).toEqual(["live"]);
  });

  it("are not told of when who allowed them is shut out, and their rows go all the same", async () => {
    const made = { email: "old@example.com", isOperator: false };
    const { userId } = await createUser(catalogue, made, 1000);
    await createGrant(catalogue, grant({ userId, grantId: "grant" }));
    await createGrant(catalogue, grant({ userId, grantId: "live", at: 1001 }));
    await saveOauthRow(catalogue, row());
    await setUserDisabled(catalogue, { email: made.email, isDisabled: true }, 1000 + days);
    expect(await ends()).toEqual(["live"]);
    expect(await findOauthRow(catalogue, { ...key, now: 1 })).toBeNull();
  });
});

describe("somebody who is shut out", () => {
  it("leaves no connection behind, nor a code or token of one", async () => {
    const made = { email: "ada@example.com", isOperator: false };
    const { userId } = await createUser(catalogue, made, 1000);
    await createGrant(catalogue, grant({ userId }));
    await createGrant(catalogue, grant({ userId: userId + 1, grantId: "other" }));
    await saveOauthRow(catalogue, row());
    expect(await tokenOf()).not.toBeNull();
    await setUserDisabled(catalogue, { email: made.email, isDisabled: true }, 1500);
    expect(await tokenOf()).toBeNull();
    expect(await findOauthRow(catalogue, { ...key, now: 1 })).toBeNull();
    const left = await listGrants(catalogue.db, { publisherId: "publisher_a", now: 1600 });
    expect(left.map(({ grantId }) => grantId)).not.toContain("grant");
  });
});

describe("a partner", () => {
  it("is found until it is revoked, which ends its connections and no others", async () => {
    const { clientId } = await createPartner(catalogue, partner, 1000);
    await createGrant(catalogue, grant({ clientId }));
    await createGrant(catalogue, grant({ grantId: "other" }));
    await saveOauthRow(catalogue, row());
    await saveOauthRow(catalogue, row({ idHash: "of the other", grantId: "other" }));
    expect(await findPartner(catalogue, clientId)).toMatchObject({ name: "Partner", applicationType: "web" });
    expect(await revokePartner(catalogue, clientId, 1500)).toEqual({
      clientId,
      revokedAt: 1500,
      endedGrants: 1,
    });
    expect(await findPartner(catalogue, clientId)).toBeNull();
    expect(await tokenOf()).toBeNull();
    expect(await findOauthRow(catalogue, { ...key, idHash: "of the other", now: 1 })).not.toBeNull();
  });
});

const partner = { name: "Partner", redirectUris: ["https://partner.example/callback"] };
