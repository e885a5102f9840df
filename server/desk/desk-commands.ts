import { accountCommands } from "./account-commands.ts";
import { oauthCommands } from "./oauth-commands.ts";
import { operatorCommands } from "./operator-commands.ts";

/** Everything that the desk can be asked, each a function over the catalogue. */
export const deskCommands = { ...accountCommands, ...oauthCommands, ...operatorCommands };
export type DeskCommands = typeof deskCommands;
