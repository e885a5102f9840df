import { accountCommands } from "./account-commands.ts";
import { activityCommands } from "./activity-commands.ts";
import { keyCommands } from "./key-commands.ts";
import { oauthCommands } from "./oauth-commands.ts";
import { operatorCommands } from "./operator-commands.ts";
import { websiteCommands } from "./website-commands.ts";

/** Everything that the desk can be asked, each a function over the catalogue. */
export const deskCommands = {
  ...accountCommands,
  ...keyCommands,
  ...activityCommands,
  ...oauthCommands,
  ...operatorCommands,
  ...websiteCommands,
};
export type DeskCommands = typeof deskCommands;
