import { accountCommands } from "./account-commands.ts";

/** Everything that the desk can be asked, each a function over the catalogue. */
export const deskCommands = { ...accountCommands };
export type DeskCommands = typeof deskCommands;
