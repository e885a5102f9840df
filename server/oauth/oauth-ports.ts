import type { Connection, ConsentAnswer, ConsentOutcome, OauthClient, OauthRow } from "../core/oauth.ts";
import type { OauthKeys } from "../core/oauth-keys.ts";
import type { SignedIn } from "../core/signed-in.ts";
import type { Call } from "../http/call.ts";

type RowKey = Pick<OauthRow, "model" | "idHash">;

/**
 * What is kept of OAuth, each with the catalogue's function of that name behind it. Asynchronous, for none of it may be
 * read or written by the thread that answers visitors.
 */
export type OauthRows = {
  findPartner(clientId: string): Promise<OauthClient | null>;
  findOauthRow(asked: RowKey & { now: number }): Promise<OauthRow | null>;
  /** False: it is a consent, and too many wait already. */
  saveOauthRow(row: Omit<OauthRow, "consumedAt">): Promise<boolean>;
  consumeOauthRow(asked: RowKey & { at: number }): Promise<boolean>;
  removeOauthRow(asked: RowKey): Promise<void>;
  /** `by`: whose name stands beside a connection in what the publisher sees of changes. */
  answerConsent(answer: ConsentAnswer, by: SignedIn | null): Promise<ConsentOutcome>;
  findConnection(asked: { grantId: string; now: number }): Promise<Connection | null>;
  endGrant(asked: { grantId: string; at: number }): Promise<void>;
};

/** What the OAuth endpoints need of the process beside the context. */
export type OauthPorts = {
  rows: OauthRows;
  keys: OauthKeys;
  /** Who is signed in to the dashboard in the browser that makes the call; null: nobody. */
  signedIn(call: Call): Promise<SignedIn | null>;
};
