import { existsSync } from "node:fs";
import type { Check } from "../store/move/verify.ts";
import { postgresAddresses, publicAddress } from "../store/postgres-addresses.ts";
import { type AloneContext, type Given, type Noun, type Outcome, textOf, UsageError } from "./command.ts";
import { CatalogueUnavailable, requireFile } from "./open-catalogue.ts";

export const moveNoun: Noun = {
  name: "move",
  summary: "Copies the whole database into PostgreSQL, while the service is stopped.",
  commands: [
    {
      verb: "",
      summary:
        "Copy everything into an empty PostgreSQL database, going on where an attempt before was ended, and compare both.",
      options: [
        {
          name: "to",
          kind: "text",
          field: "to",
          hint: "URL",
          required: true,
          help: "postgres://user@host/database; a password can come from PGPASSWORD or ~/.pgpass",
        },
      ],
      examples: ["move --to postgres://offers@db.internal/offers"],
      runAlone: move,
    },
  ],
};

async function move(given: Given, context: AloneContext): Promise<Outcome> {
  const { database, tokenSecretFile, clock, say } = context;
  const to = textOf(given, "to");
  const addresses = postgresAddresses(to);
  if (addresses === null) throw new UsageError(["--to: must be postgres://user:password@host:port/database"]);
  if (database.engine !== "sqlite") {
    throw new UsageError([
      "DATABASE_URL is set: leave it out, for what is moved is the SQLite database of DATA_DIR",
    ]);
  }
  const { file, durability } = database;
  requireFile(file);
  // Loaded when it is asked for: no other command needs the client of PostgreSQL beside its own database.
  const [{ moveToPostgres }, { MoveRefusal }] = await Promise.all([
    import("../store/move/move.ts"),
    import("../store/move/move-refusal.ts"),
  ]);
  const moved = await moveToPostgres({ source: { file, durability }, to, clock, say }).catch(
    (error: unknown) => {
      throw error instanceof MoveRefusal ? new CatalogueUnavailable(error.message) : error;
    },
  );
  const { rows, seconds, tables, checks, isWhole } = moved;
  const name = addresses.map(publicAddress).join(", ");
  const secret =
    tokenSecretFile === null
      ? "as it is set now"
      : existsSync(tokenSecretFile)
        ? `what ${tokenSecretFile} holds`
        : `as the service had it, for there is no ${tokenSecretFile}; where no service has run, a new one`;
  const settings = isWhole
    ? [`DATABASE_URL: ${name}, as it was given`, `TOKEN_SECRET: ${secret}`]
    : ["nothing: the target is not the same, and no service starts on it"];
  const removal = `within two days, when all is well: remove ${file}* (nobody destroys the visitors' salts in it any more)`;
  return {
    answer: {
      from: file,
      to: name,
      rows,
      seconds: Math.round(seconds * 10) / 10,
      tables,
      checks,
      isWhole,
      next: isWhole ? [...settings, removal] : settings,
    },
    text: [
      `${rows} rows copied in ${seconds.toFixed(1)} s (${Math.round(rows / Math.max(seconds, 0.001))} a second)`,
      ...(checks.length === 0 ? [] : [checks.map(checkText).join("\n")]),
      `To be set on every node:\n${settings.map((line) => `  ${line}`).join("\n")}`,
      ...(isWhole ? [`To be done ${removal}`] : []),
    ].join("\n\n"),
    differs: !isWhole,
  };
}

const checkText = ({ what, source, target, agrees }: Check): string =>
  agrees ? `same ${what}: ${source}` : `DIFFERENT ${what}: ${source} in SQLite, ${target} in PostgreSQL`;
