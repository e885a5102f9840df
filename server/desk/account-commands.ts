import type { Role, Theme } from "@offers/contract/words";
import type { SignedIn } from "../core/signed-in.ts";
import * as invitations from "../store/catalogue/invitations.ts";
import { findPublisher } from "../store/catalogue/publishers.ts";
import { redeemLink } from "../store/catalogue/redeem-link.ts";
import * as sessions from "../store/catalogue/sessions.ts";
import * as links from "../store/catalogue/sign-in-links.ts";
import * as team from "../store/catalogue/team-members.ts";
import * as access from "../store/catalogue/user-access.ts";
import * as users from "../store/catalogue/users.ts";
import type { DeskHandle } from "./desk-handle.ts";

/** Signing in and out, links, one's own account and teams. */
export const accountCommands = {
  findSession: (
    desk: DeskHandle,
    { hash }: { hash: string },
  ): Promise<{ signedIn: SignedIn; isSeenDue: boolean } | null> =>
    sessions.findSignedIn(desk.db, hash, desk.now),
  touchSession: (desk: DeskHandle, { sessionId }: { sessionId: number }) =>
    sessions.touchSession(desk, sessionId, desk.now),
  confirmSession: (desk: DeskHandle, { sessionId }: { sessionId: number }) =>
    sessions.confirmSession(desk, sessionId, desk.now),
  signIn: (desk: DeskHandle, session: Parameters<typeof sessions.signIn>[1]) =>
    sessions.signIn(desk, session, desk.now),
  endSession: (desk: DeskHandle, { hash }: { hash: string }) => sessions.endSession(desk, hash),
  endOwnSession: (desk: DeskHandle, asked: { userId: number; sessionId: number }) =>
    sessions.endOwnSession(desk, asked),
  endOtherSessions: (desk: DeskHandle, asked: { userId: number; butSessionId: number | null }) =>
    sessions.endOtherSessions(desk, asked),
  listSessions: (desk: DeskHandle, { userId }: { userId: number }) =>
    sessions.listSessions(desk.db, userId, desk.now),

  findForSignIn: (desk: DeskHandle, { email }: { email: string }) => access.findForSignIn(desk.db, email),
  setPassword: (desk: DeskHandle, asked: Parameters<typeof access.setPassword>[1]) =>
    access.setPassword(desk, asked),
  updateOwnSettings: (
    desk: DeskHandle,
    { userId, ...patch }: { userId: number; name?: string | undefined; theme?: Theme | undefined },
  ) => users.updateOwnSettings(desk, userId, patch),

  makeSetUpLink: (desk: DeskHandle, _: null) => links.makeSetUpLink(desk, desk.now),
  makeSignInLink: (desk: DeskHandle, { email }: { email: string }) =>
    links.makeLinkFor(desk, { kind: "sign_in", email, madeBy: "the service" }, desk.now),
  findLink: (desk: DeskHandle, { token }: { token: string }) => links.findLink(desk.db, token, desk.now),
  redeemLink: (desk: DeskHandle, asked: Parameters<typeof redeemLink>[1]) =>
    redeemLink(desk, asked, desk.now),

  /** Any publisher, for an operator who looks at it. */
  findPublisher: (desk: DeskHandle, { publisherId }: { publisherId: string }) =>
    findPublisher(desk.db, publisherId),

  team: async (desk: DeskHandle, { publisherId }: { publisherId: string }) => ({
    members: await team.listTeam(desk.db, publisherId),
    invitations: await invitations.listInvitations(desk.db, publisherId, desk.now),
  }),
  invite: (desk: DeskHandle, asked: { email: string; publisherId: string; role: Role; madeBy: string }) =>
    invitations.invite(desk, { ...asked, isOperator: false }, desk.now),
  withdrawInvitation: (desk: DeskHandle, asked: { publisherId: string; invitationId: number }) =>
    invitations.withdrawInvitation(desk, asked),
  changeMember: (desk: DeskHandle, asked: { publisherId: string; userId: number; role: Role | null }) =>
    team.changeMember(desk, asked),
};
