import type { Who } from "@offers/contract/dash/endpoint";
import { type Role, roles } from "@offers/contract/words";
import { needsPassword } from "./session-life.ts";
import type { Membership, SignedIn } from "./signed-in.ts";

/** Whether somebody may do something in the dashboard, and as what; or why not. */
export type Access =
  | { outcome: "granted"; publisher: Membership | null; isLookingAs: boolean }
  /** There is no such publisher, as far as this caller may know. */
  | { outcome: "unknown" }
  | { outcome: "role_too_low"; needed: Who }
  | { outcome: "sign_in_again" };

/** What is asked for: what the endpoint's row says, and the publisher that the path names. */
export type Wanted = {
  who: Who;
  needsRecentSignIn: boolean;
  /** Null: the path names none. */
  publisherId: string | null;
  /** GET, which changes nothing. */
  isReading: boolean;
};

/**
 * Judges a call by who is signed in at this moment.
 * @param other the publisher that the path names, for an operator who is no member of it; null: there is none.
 * @param now milliseconds since the epoch.
 */
export function accessOf(wanted: Wanted, signedIn: SignedIn, other: Membership | null, now: number): Access {
  const { who, publisherId } = wanted;
  // To whoever is no operator the operator's pages do not exist.
  if (who === "operator" && !signedIn.isOperator) return { outcome: "unknown" };
  const own = signedIn.memberships.find((one) => one.publisherId === publisherId) ?? null;
  const publisher = own ?? (signedIn.isOperator ? other : null);
  if (publisherId !== null && publisher === null) return { outcome: "unknown" };
  const isLookingAs = own === null && publisher !== null;
  if (publisher !== null && who !== "anyone" && who !== "operator") {
    // An operator sees what a viewer sees, and changes a publisher by the operator's own pages.
    const isAllowed = isLookingAs ? wanted.isReading && who === "viewer" : isAtLeast(publisher.role, who);
    if (!isAllowed) return { outcome: "role_too_low", needed: who };
  }
  if (wanted.needsRecentSignIn && needsPassword(signedIn, now)) return { outcome: "sign_in_again" };
  return { outcome: "granted", publisher, isLookingAs };
}

/** Whether one role may do whatever another may. */
function isAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
