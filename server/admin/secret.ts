import {
  createIntegrationSecret,
  listIntegrationSecrets,
  revokeIntegrationSecret,
} from "../store/catalogue/integration-secrets.ts";
import { type Noun, type Option, optionalTextOf, textOf } from "./command.ts";
import { notesOfRevoked } from "./notes-of-revoked.ts";
import { dayOf, facts, table } from "./table.ts";

const website: Option = {
  name: "website",
  kind: "text",
  field: "websiteKey",
  hint: "W",
  help: "the website's key",
};

export const secretNoun: Noun = {
  name: "secret",
  summary: "Secrets with which a website's own server vouches for its visitors.",
  commands: [
    {
      verb: "create",
      summary: "Issue a secret to a website and print it, this once: only its hash is kept.",
      options: [{ ...website, required: true }],
      examples: ["secret create --website ws_journal"],
      run: async (given, { catalogue, now }) => {
        const answer = await createIntegrationSecret(catalogue, textOf(given, "websiteKey"), now);
        return { answer, text: facts(answer), notes: ["keep it now: it cannot be shown again"] };
      },
    },
    {
      verb: "revoke",
      summary: "End a secret for good.",
      options: [
        {
          name: "secret-id",
          kind: "text",
          field: "secretId",
          hint: "S",
          required: true,
          help: "the secret's id, as list prints it",
        },
      ],
      examples: ["secret revoke --secret-id secret_4fG7hJkLmN2p"],
      run: async (given, { catalogue, now }) => {
        const answer = await revokeIntegrationSecret(catalogue, textOf(given, "secretId"), now);
        const revoked = new Date(answer.revokedAt).toISOString();
        const notes = notesOfRevoked(answer.revokedAt, now);
        return { answer, text: facts({ secretId: answer.secretId, revoked }), notes };
      },
    },
    {
      verb: "list",
      summary: "Print every secret, or those of one website, by its last four characters.",
      options: [website],
      examples: ["secret list", "secret list --website ws_journal --json"],
      run: async (given, { catalogue }) => {
        const key = optionalTextOf(given, "websiteKey");
        const answer = await listIntegrationSecrets(
          catalogue.db,
          key === undefined ? {} : { websiteKey: key },
        );
        const rows = answer.map((one) => [
          one.secretId,
          one.revokedAt === null ? "live" : "revoked",
          one.websiteKey,
          `its_…${one.lastFour}`,
          dayOf(one.createdAt),
        ]);
        return { answer, text: table(["SECRET", "STATE", "WEBSITE", "LOOKS LIKE", "MADE"], rows) };
      },
    },
  ],
};
