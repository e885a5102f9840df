import { publicKey, publisherId } from "@offers/contract/ids";
import { describe, expect, it } from "vitest";
import { type Access, accessOf, type Wanted } from "./access.ts";
import { recentMs } from "./session-life.ts";
import type { Membership, SignedIn } from "./signed-in.ts";

const membership = (letter: string, role: Membership["role"]): Membership => ({
  publisherId: publisherId.parse(`publisher_${letter}`),
  publicKey: publicKey.parse(`pub_${letter}`),
  name: letter,
  role,
});

const person = (more: Partial<SignedIn> = {}): SignedIn => ({
  userId: 1,
  email: "ada@example.com",
  name: "Ada",
  isOperator: false,
  theme: "auto",
  memberships: [membership("a", "editor")],
  sessionId: 1,
  hasPassword: true,
  signedInAt: 0,
  ...more,
});

const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  who: "viewer",
  needsRecentSignIn: false,
  publisherId: "publisher_a",
  isReading: true,
  ...more,
});

const operator = person({ isOperator: true, memberships: [] });
const other = membership("a", "viewer");

const cases: [string, Access["outcome"], Wanted, SignedIn, Membership | null, number][] = [
  ["a member in the role that is asked for", "granted", wanted({ who: "editor" }), person(), null, 0],
  ["a member in a higher one", "granted", wanted({ who: "viewer" }), person(), null, 0],
  ["a member in a lower one", "role_too_low", wanted({ who: "owner" }), person(), null, 0],
  ["a stranger", "unknown", wanted({ publisherId: "publisher_b" }), person(), null, 0],
  ["a stranger who names nothing that exists", "unknown", wanted({ publisherId: "x" }), person(), null, 0],
  [
    "anybody, of what is their own",
    "granted",
    wanted({ who: "anyone", publisherId: null }),
    person(),
    null,
    0,
  ],
  [
    "no operator, of an operator's page",
    "unknown",
    wanted({ who: "operator", publisherId: null }),
    person(),
    null,
    0,
  ],
  ["an operator", "granted", wanted({ who: "operator", publisherId: null }), operator, null, 0],
  ["an operator who looks at a publisher", "granted", wanted(), operator, other, 0],
  [
    "an operator who looks at what an editor alone sees",
    "role_too_low",
    wanted({ who: "editor" }),
    operator,
    other,
    0,
  ],
  [
    "an operator who would change a publisher",
    "role_too_low",
    wanted({ isReading: false }),
    operator,
    other,
    0,
  ],
  [
    "an operator, of an operator's page about a publisher",
    "granted",
    wanted({ who: "operator", isReading: false }),
    operator,
    other,
    0,
  ],
  [
    "an operator, of a publisher's page that is for anybody",
    "granted",
    wanted({ who: "anyone", isReading: false }),
    operator,
    other,
    0,
  ],
  ["an operator who names nothing that exists", "unknown", wanted(), operator, null, 0],
  ["a password of long ago", "sign_in_again", wanted({ needsRecentSignIn: true }), person(), null, recentMs],
  ["a password of long ago, where none is asked for", "granted", wanted(), person(), null, recentMs],
  ["a password of just now", "granted", wanted({ needsRecentSignIn: true }), person(), null, recentMs - 1],
  [
    "no password at all, which is not asked for",
    "granted",
    wanted({ needsRecentSignIn: true }),
    person({ hasPassword: false }),
    null,
    recentMs,
  ],
  [
    "a role too low, before the password is asked for",
    "role_too_low",
    wanted({ who: "owner", needsRecentSignIn: true }),
    person(),
    null,
    recentMs,
  ],
];

describe("access", () => {
  it.each(cases)("%s: %s", (_, outcome, asked, signedIn, publisher, now) => {
    expect(accessOf(asked, signedIn, publisher, now).outcome).toBe(outcome);
  });

  it("tells an operator who looks from a member", () => {
    expect(accessOf(wanted(), operator, other, 0)).toMatchObject({ isLookingAs: true });
    expect(accessOf(wanted(), person({ isOperator: true }), null, 0)).toMatchObject({ isLookingAs: false });
    const own = wanted({ who: "anyone", publisherId: null });
    expect(accessOf(own, operator, null, 0)).toMatchObject({ publisher: null, isLookingAs: false });
  });
});
