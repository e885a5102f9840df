import { createHash } from "node:crypto";
import type { SecretCarrier } from "@offers/contract/words";
import { base62 } from "./base62.ts";

/** How many random bytes an integration secret is made of. */
export const integrationSecretBytes = 32;

export type NewIntegrationSecret = {
  /** `its_` and 32 characters (190 bits): to be shown once and never stored. */
  secret: string;
  /** SHA-256, 32 bytes. */
  hash: Buffer;
  lastFour: string;
};

/** A secret as the store keeps it; `hash` is SHA-256 as base64url. */
export type StoredSecret = { secretId: string; websiteId: number; hash: string };

/** Makes the secret with which a website's own server marks a decline session ready. */
export function makeIntegrationSecret(random: Uint8Array): NewIntegrationSecret {
  if (random.length !== integrationSecretBytes) {
    throw new RangeError(`a secret is made of ${integrationSecretBytes} random bytes`);
  }
  const secret = `its_${base62(random, 32)}`;
  return { secret, hash: hashIntegrationSecret(secret), lastFour: secret.slice(-4) };
}

/** SHA-256 of the secret as it was presented: no slow hash is needed for 190 random bits. */
export function hashIntegrationSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Whether a website takes its integration secret in this place of a call. */
export function takesSecretIn(
  { secretCarrier }: { secretCarrier: SecretCarrier },
  carrier: Exclude<SecretCarrier, "any">,
): boolean {
  return secretCarrier === "any" || secretCarrier === carrier;
}
