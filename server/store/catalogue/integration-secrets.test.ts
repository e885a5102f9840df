import { tmpdir } from "node:os";
import { publisherInput, websiteInput } from "@offers/contract/catalogue";
import { describe, expect, it, onTestFinished } from "vitest";
import { hashIntegrationSecret } from "../../core/integration-secret.ts";
import { fewPlaces, newCatalogue } from "./catalogue-for-tests.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import {
  createIntegrationSecret,
  listIntegrationSecrets,
  revokeIntegrationSecret,
} from "./integration-secrets.ts";
import { createPublisher } from "./publishers.ts";
import { createWebsite } from "./websites.ts";

const freshCatalogue = async () => {
  const catalogue = await newCatalogue(tmpdir());
  onTestFinished(() => catalogue.close());
  return catalogue;
};

const now = Date.parse("2026-11-20T12:00:00Z");

const withWebsite = async () => {
  const catalogue = await freshCatalogue();
  const { db } = catalogue;
  const { publisherId } = await createPublisher(catalogue, publisherInput.parse({ name: "A" }), { now });
  const website = websiteInput.parse({ publisherId, name: "A", origins: ["https://shop-a.example"] });
  return { catalogue, db, ...(await createWebsite(catalogue, website, { now, rules: fewPlaces })) };
};

describe("the store of integration secrets", () => {
  it("issues a secret, keeps its hash alone, and shows no more than its last four characters", async () => {
    const { catalogue, db, websiteKey } = await withWebsite();
    const { secret, secretId } = await createIntegrationSecret(catalogue, websiteKey, now);
    expect(await listIntegrationSecrets(db, { websiteKey })).toEqual([
      { secretId, websiteKey, lastFour: secret.slice(-4), createdAt: now, revokedAt: null },
    ]);
    const rows = await db.selectFrom("integration_secret").selectAll().execute();
    expect(rows[0]?.hash).toBe(hashIntegrationSecret(secret).toString("base64url"));
    expect(JSON.stringify(rows)).not.toContain(secret.slice(4));
  });

  it("revokes one of several for good", async () => {
    const { catalogue, db, websiteKey } = await withWebsite();
    const one = await createIntegrationSecret(catalogue, websiteKey, now);
    await createIntegrationSecret(catalogue, websiteKey, now + 1);
    await revokeIntegrationSecret(catalogue, one.secretId, now + 2);
    expect(await revokeIntegrationSecret(catalogue, one.secretId, now + 3)).toMatchObject({
      revokedAt: now + 2,
    });
    expect(await listIntegrationSecrets(db)).toMatchObject([{ revokedAt: now + 2 }, { revokedAt: null }]);
  });

  it("refuses an unknown website and an unknown secret", async () => {
    const { catalogue, db } = await withWebsite();
    await expect(createIntegrationSecret(catalogue, "ws_none", now)).rejects.toThrow(CatalogueRefusal);
    await expect(revokeIntegrationSecret(catalogue, "secret_none", now)).rejects.toThrow(CatalogueRefusal);
    expect(await listIntegrationSecrets(db)).toEqual([]);
  });
});
