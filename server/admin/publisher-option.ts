import type { Option } from "./command.ts";

/** Which publisher a command is about. */
export const publisherOption: Option = {
  name: "publisher",
  kind: "text",
  field: "publisherId",
  hint: "P",
  help: "the publisher's id",
};
