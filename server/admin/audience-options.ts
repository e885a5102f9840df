import { deviceClasses } from "@offers/contract/words";
import type { Option } from "./command.ts";

/** Options that say who visits, beside the place. `unsaid`: what holds of who is not described. */
export function audienceOptions(unsaid: string): readonly Option[] {
  return [
    {
      name: "language",
      kind: "text",
      field: "language",
      hint: "L",
      help: `what the visitor's browser asks for first: de (${unsaid})`,
    },
    {
      name: "device",
      kind: "choice",
      choices: deviceClasses,
      field: "device",
      help: `what the visitor sits at (${unsaid})`,
    },
  ];
}
