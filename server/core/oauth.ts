import { createHash, timingSafeEqual } from "node:crypto";
import type { PublisherId } from "@offers/contract/ids";
import type { ApplicationType } from "@offers/contract/oauth";
import { type Role, type Scope, scopes } from "@offers/contract/words";
import { base62 } from "./base62.ts";

/** A partner's application as the store keeps it. */
export type OauthClient = {
  clientId: string;
  name: string;
  applicationType: ApplicationType;
  /** `hashOauthToken` of its secret; null: it has none, for it could not keep one. */
  secretHash: string | null;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
};

/** What a person has allowed a partner to do for one publisher. */
export type NewGrant = {
  grantId: string;
  clientId: string;
  userId: number;
  publisherId: PublisherId;
  scopes: readonly Scope[];
  /** Milliseconds since the epoch. */
  at: number;
};

/** Something short-lived that the OAuth library keeps: a code, a token, a consent under way. */
export type OauthRow = {
  /** Which of them, in the library's words. */
  model: string;
  /** `hashOauthToken` of what its holder presents. */
  idHash: string;
  payload: Readonly<Record<string, unknown>>;
  /** The connection that it belongs to; null: to none yet. */
  grantId: string | null;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Milliseconds since the epoch; null: it was not used yet. */
  consumedAt: number | null;
};

/** What a person answers to a partner's question. */
export type ConsentAnswer = Pick<OauthRow, "model" | "idHash"> & {
  /** The answer as the library tells it to the partner. */
  result: Readonly<Record<string, unknown>>;
  /** The connection that it makes; null: none. */
  grant: NewGrant | null;
  /** Milliseconds since the epoch. */
  at: number;
};

/**
 * What became of an answer: it is kept; the question was answered before, or is none; or who allowed it may not, and
 * nothing is kept.
 */
export type ConsentOutcome = "kept" | "not_asked" | "not_allowed";

/** Whether this role connects partners: a viewer may look at a publisher, and so may not hand that on. */
export function mayConnectPartners(role: Role): boolean {
  return role !== "viewer";
}

/** For whom a live connection is, as its partner is told it. */
export type Connection = {
  publisherId: PublisherId;
  /** The publisher's name. */
  publisher: string;
  /** When it ends by itself. Milliseconds since the epoch. */
  endsAt: number;
};

/** What an access token of a live connection opens. */
export type AccessToken = {
  grantId: string;
  /** Whose it is: the partner's. */
  clientId: string;
  publisherId: PublisherId;
  scopes: readonly Scope[];
  /** Milliseconds since the epoch. */
  expiresAt: number;
};

/** How many random bytes a client secret is made of. */
export const clientSecretBytes = 32;

/** A secret of `clientSecretBytes` random bytes: to be shown once and never stored. */
export function makeClientSecret(random: Uint8Array): { secret: string; secretHash: string } {
  if (random.length !== clientSecretBytes) {
    throw new RangeError(`a client secret is made of ${clientSecretBytes} random bytes`);
  }
  const secret = `cs_${base62(random, 43)}`;
  return { secret, secretHash: hashOauthToken(secret) };
}

/** SHA-256 as base64url, under which a code, a token or a secret is kept: each holds 240 bits or more, so no salt is needed. */
export function hashOauthToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** What is kept of a secret that was replaced, until its end: an `OauthRow` of this model under the secret's hash. */
export const formerSecretModel = "FormerSecret";

/** Whether `secret` is the one of this hash; it takes the same time wherever the two differ. */
export function isClientSecret(secret: string, secretHash: string): boolean {
  const [given, kept] = [Buffer.from(hashOauthToken(secret)), Buffer.from(secretHash)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}

/** Whether a bearer token has the form of an access token, which an API key never has: 43 characters of base64url. */
export function looksLikeAccessToken(token: string): boolean {
  return token.length === 43 && /^[\w-]+$/.test(token);
}

/** The words of a scope parameter that are scopes, in the contract's order. */
export function scopesIn(text: string): Scope[] {
  const words = new Set(text.split(" "));
  return scopes.filter((scope) => words.has(scope));
}
