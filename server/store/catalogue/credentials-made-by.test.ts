import { tmpdir } from "node:os";
import { publisherId } from "@offers/contract/ids";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fillFixture } from "../../testing/fixture.ts";
import { createApiKey, revokeApiKey } from "./api-keys.ts";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { liveCredentialsMadeBy } from "./credentials-made-by.ts";
import { createIntegrationSecret, revokeIntegrationSecret } from "./integration-secrets.ts";
import { createUser } from "./users.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
  await fillFixture(catalogue, 1);
});
afterEach(() => catalogue.close());

const owner = publisherId.parse("publisher_a");
const now = 100;

const newMaker = async (name: string) => {
  const { userId } = await createUser(catalogue, { email: `${name}@example.com`, isOperator: false }, 1);
  return { ...catalogue, actor: { kind: "user" as const, userId, name }, userId };
};

test("of somebody's keys and secrets those that are still good are found, and nobody else's", async () => {
  const [zelda, other] = [await newMaker("zelda"), await newMaker("other")];
  const keyOf = (by: typeof zelda, at: number, expiresAt: number | null = null) =>
    createApiKey(by, { publisherId: owner, expiresAt }, at);
  const live = await keyOf(zelda, 2);
  const late = await keyOf(zelda, 3, now + 1);
  await keyOf(zelda, 4, now);
  await revokeApiKey(catalogue, (await keyOf(zelda, 5)).keyId, 6);
  await keyOf(other, 7);
  await createApiKey(catalogue, { publisherId: owner }, 8);
  const secret = await createIntegrationSecret(zelda, "ws_a", 2);
  const ended = await createIntegrationSecret(zelda, "ws_a", 3);
  await revokeIntegrationSecret(catalogue, ended.secretId, 4);
  await createIntegrationSecret(other, "ws_a", 5);
  expect(await liveCredentialsMadeBy(catalogue.db, zelda.userId, now)).toEqual({
    keys: [
      { keyId: live.keyId, publisherId: owner },
      { keyId: late.keyId, publisherId: owner },
    ],
    secrets: [{ secretId: secret.secretId, websiteKey: "ws_a" }],
  });
  expect(await liveCredentialsMadeBy(catalogue.db, 999, now)).toEqual({ keys: [], secrets: [] });
});

test("a key without its maker's number, as the program of before makes it, is its maker's whom Activity names", async () => {
  const [zelda, other] = [await newMaker("zelda"), await newMaker("other")];
  const { keyId } = await createApiKey(zelda, { publisherId: owner }, 2);
  await createApiKey(other, { publisherId: owner }, 3);
  await catalogue.db.updateTable("api_key").set({ made_by_user: null }).execute();
  expect((await liveCredentialsMadeBy(catalogue.db, zelda.userId, now)).keys).toEqual([
    { keyId, publisherId: owner },
  ]);
});
