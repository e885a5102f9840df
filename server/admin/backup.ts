import { resolve } from "node:path";
import { CatalogueRefusal } from "../store/catalogue/catalogue-refusal.ts";
import { type Noun, textOf } from "./command.ts";
import { keepRun } from "./note-run.ts";
import { facts } from "./table.ts";

export const backupNoun: Noun = {
  name: "backup",
  summary: "Copies the database while the service runs.",
  commands: [
    {
      verb: "",
      summary: "Copy the database as it is at one moment, and check the copy, while the service runs.",
      options: [
        {
          name: "to",
          kind: "text",
          field: "to",
          hint: "F",
          required: true,
          help: "the file to write; an older one of that name is replaced once the new one is whole",
        },
      ],
      examples: ["backup --to /var/backups/offers.sqlite"],
      run: async (given, context) => {
        const backup = await context.catalogue.backUp(resolve(textOf(given, "to")));
        if (!backup.ok) {
          await keepRun(context, { kind: "backup", isGood: false, says: `--to ${backup.message}` });
          throw new CatalogueRefusal([{ field: "to", message: backup.message }]);
        }
        const answer = { file: backup.file, bytes: backup.bytes };
        const notes = await keepRun(context, { kind: "backup", isGood: true, says: `${backup.bytes} bytes` });
        return { answer, text: facts(answer), notes };
      },
    },
  ],
};
