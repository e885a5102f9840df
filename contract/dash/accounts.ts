import { z } from "zod";
import { filledLine } from "../text.ts";
import { longestNames, passwordLength, roles, themes } from "../words.ts";

/**
 * An address as people give it; kept, and compared, in lower case and in one normal form (NFC). It holds no character that nobody sees: two accounts
 * would look alike in a team, and one could pass for another.
 */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .normalize()
  .max(254, "must have at most 254 characters")
  .regex(
    /^[^\s\p{C}\p{DI}@"<>]+@[^\s\p{C}\p{DI}@"<>.]+(?:\.[^\s\p{C}\p{DI}@"<>.]+)*$/u,
    "must be an e-mail address such as ada@example.com",
  );

/** Any characters; a sentence is welcome. */
export const password = z
  .string()
  .min(passwordLength.least, `must have at least ${passwordLength.least} characters`)
  .max(passwordLength.most, `must have at most ${passwordLength.most} characters`);

export const personName = filledLine(longestNames.person);

export const role = z.enum(roles);

/** What somebody may change of their own account; the password has a route of its own. */
export const ownSettings = z.object({ name: personName.optional(), theme: z.enum(themes).optional() });

export const givenPassword = z.object({ password: z.string().max(passwordLength.most) });

export const newPassword = z.object({ password: z.string().max(passwordLength.most), newPassword: password });

/** Answer of GET /dash/api/me. Times are milliseconds since the epoch. */
export const me = z.object({
  user: z.object({
    userId: z.int(),
    email: z.string(),
    name: z.string(),
    isOperator: z.boolean(),
    theme: z.enum(themes),
    /** False for who came in by a link that asks for none, as the demo's user. */
    hasPassword: z.boolean(),
  }),
  publishers: z.array(
    z.object({
      publisherId: z.string(),
      publicKey: z.string(),
      name: z.string(),
      role,
      websites: z.int(),
    }),
  ),
  service: z.object({ baseUrl: z.string() }),
  /** Until when the password needs not be given again. */
  recentUntil: z.int(),
});
export type Me = z.infer<typeof me>;
/** A publisher that one is a member of, and as what. */
export type OwnPublisher = Me["publishers"][number];

/** A session as its owner sees it. */
export const ownSession = z.object({
  sessionId: z.int(),
  agent: z.string(),
  createdAt: z.int(),
  seenAt: z.int(),
  isThis: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSession>;

export const invitee = z.object({ email, role });
export const memberRole = z.object({ role });

export const team = z.object({
  members: z.array(
    z.object({
      userId: z.int(),
      email: z.string(),
      name: z.string(),
      role,
      since: z.int(),
      /** When a session that they still have was last used; null: they have none. Sessions that are over are not kept. */
      lastSeenAt: z.int().nullable(),
      isDisabled: z.boolean(),
    }),
  ),
  invitations: z.array(
    z.object({
      invitationId: z.int(),
      email: z.string(),
      role,
      madeBy: z.string(),
      createdAt: z.int(),
      expiresAt: z.int(),
    }),
  ),
});
export type Team = z.infer<typeof team>;

/** A link at the one moment at which it can be read. */
export type MadeLink = { link: string; expiresAt: number };
