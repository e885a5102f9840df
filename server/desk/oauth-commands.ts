import type { ConsentAnswer, OauthRow } from "../core/oauth.ts";
import { findPartner } from "../store/catalogue/oauth-clients.ts";
import { answerConsent } from "../store/catalogue/oauth-consents.ts";
import { endGrant, findConnection, listGrants, revokeGrant } from "../store/catalogue/oauth-grants.ts";
import * as rows from "../store/catalogue/oauth-rows.ts";
import type { DeskHandle } from "./desk-handle.ts";

type RowKey = Pick<OauthRow, "model" | "idHash">;

/** What is kept of OAuth. */
export const oauthCommands = {
  findPartner: (desk: DeskHandle, { clientId }: { clientId: string }) => findPartner(desk, clientId),
  findOauthRow: (desk: DeskHandle, asked: RowKey & { now: number }) => rows.findOauthRow(desk, asked),
  saveOauthRow: (desk: DeskHandle, row: Omit<OauthRow, "consumedAt">) => rows.saveOauthRow(desk, row),
  consumeOauthRow: (desk: DeskHandle, asked: RowKey & { at: number }) => rows.consumeOauthRow(desk, asked),
  removeOauthRow: (desk: DeskHandle, asked: RowKey) => rows.removeOauthRow(desk, asked),
  findConnection: (desk: DeskHandle, asked: { grantId: string; now: number }) =>
    findConnection(desk.db, asked),
  listGrants: (desk: DeskHandle, { publisherId }: { publisherId: string }) =>
    listGrants(desk.db, { publisherId, now: desk.now }),
  /** As the publisher's people do. */
  revokeGrant: (desk: DeskHandle, asked: { publisherId: string; grantId: string }) =>
    revokeGrant(desk, { ...asked, at: desk.now }),
  answerConsent: (desk: DeskHandle, answer: ConsentAnswer) => answerConsent(desk, answer),
  /** As its partner does, by giving a token back or using one twice. */
  endGrant: (desk: DeskHandle, asked: { grantId: string; at: number }) =>
    endGrant(desk, { ...asked, isByPartner: true }),
};
