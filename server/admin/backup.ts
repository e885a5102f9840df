import { resolve } from "node:path";
import { type Noun, textOf, UsageError } from "./command.ts";
import { keepRun, orKeepFailure } from "./note-run.ts";
import { facts } from "./table.ts";

/** What is passing, or lets somebody in, is in no backup of SQLite either (decisions.md#backup-of-a-server). */
const notBackedUp = [
  ...["session", "sign_in_link", "oauth_row", "oauth_grant", "node"],
  // The second counts the rows of the first.
  ...["decline_session", "decline_kept"],
];

const ofServer = [
  "DATABASE_URL names a PostgreSQL, which has programs of its own for that, and its provider may have more:",
  `pg_dump --format=custom --no-unlogged-table-data ${notBackedUp.map((name) => `--exclude-table-data=${name}`).join(" ")} --file=F "$DATABASE_URL"`,
  "or pg_basebackup with an archive of the log, which can restore any moment",
];

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
        const { backUp } = context.catalogue;
        if (backUp === null) throw new UsageError(ofServer);
        const to = resolve(textOf(given, "to"));
        const backup = await orKeepFailure(context, "backup", () => backUp(to));
        if (!backup.ok) {
          const says = `--to: ${backup.message}`;
          const notes = await keepRun(context, { kind: "backup", isGood: false, says });
          throw new UsageError([says, ...notes.map((note) => `note: ${note}`)]);
        }
        const answer = { file: backup.file, bytes: backup.bytes };
        const notes = await keepRun(context, { kind: "backup", isGood: true, says: `${backup.bytes} bytes` });
        return { answer, text: facts(answer), notes };
      },
    },
  ],
};
