import type { PublicKey, PublisherId } from "@offers/contract/ids";
import type { Role, Theme } from "@offers/contract/words";

/** A publisher that somebody works for. */
export type Membership = {
  publisherId: PublisherId;
  publicKey: PublicKey;
  name: string;
  role: Role;
};

/** Who a call's session belongs to, as it stands at the moment of the call. */
export type SignedIn = {
  userId: number;
  email: string;
  name: string;
  isOperator: boolean;
  theme: Theme;
  memberships: readonly Membership[];
  /** The session's own number, which is no secret. */
  sessionId: number;
  hasPassword: boolean;
  /** When they last gave it, or came by a link, in milliseconds since the epoch. */
  signedInAt: number;
};
