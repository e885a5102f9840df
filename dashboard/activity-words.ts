import type { DashActivity } from "@offers/contract/dash/activity";
import type { ActivityAction, ActivitySubject } from "@offers/contract/words";

/** What was done. */
export const actionWords: Readonly<Record<ActivityAction, string>> = {
  created: "Created",
  updated: "Changed",
  paused: "Paused",
  resumed: "Resumed",
  imported: "Imported",
  deposited: "Deposited",
  adjusted: "Adjusted",
  rotated: "Rolled",
  revoked: "Revoked",
  secret_created: "Made a secret of",
  secret_revoked: "Revoked a secret of",
  visits_erased: "Erased visits of",
  invited: "Invited",
  withdrawn: "Withdrew the invitation of",
  joined: "Joined:",
  removed: "Removed",
  disabled: "Shut out",
  enabled: "Let in again",
  looked: "Looked, as an operator, at",
  connected: "Connected",
  disconnected: "Disconnected",
  password_link_made: "Made a link to choose a password for",
  password_changed: "Changed the password of",
};

/** To what it was done. */
export const subjectWords: Readonly<Record<ActivitySubject, string>> = {
  publisher: "Publisher",
  website: "Website",
  advertiser: "Advertiser",
  offer: "Offer",
  offer_file: "Offers of a file",
  currency: "Currency",
  api_key: "Key",
  user: "Person",
  partner: "Partner",
  connection: "Partner's connection",
};

/** By whom. */
export const actorWords: Readonly<Record<DashActivity["actor"]["kind"], string>> = {
  user: "People",
  command_line: "Command line",
  partner: "Partners",
};

/** A member's name in words: `allowlist.block.verticals` is `Allowlist, block, verticals`. */
export function memberText(member: string): string {
  const words = member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(".", ", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
