import type { Broken } from "../trial.ts";

// Programs that give away what is another's, or keep it so that anybody can read it.

export const makesSecretsForAnybody: Broken = {
  name: "makes secrets for whoever asks",
  edits: [
    {
      file: "server/desk/website-commands.ts",
      old: "    await requireOwnWebsite(desk.db, own);\n    return createIntegrationSecret",
      "new": "    return createIntegrationSecret",
    },
  ],
};

export const savesBeforeItLooks: Broken = {
  name: "saves an allowlist before it looks whose it is",
  edits: [
    {
      file: "server/desk/website-commands.ts",
      old: "    await requireOwnWebsite(desk.db, asked);\n    const { warnings }",
      "new": "    const { warnings }",
    },
  ],
};

export const tellsWebsitesApart: Broken = {
  name: "tells another publisher's website from an unknown one",
  edits: [
    {
      file: "server/routes/own-website.ts",
      old: "  if (websites === null) throw notOwn(named.parameter);\n  return websites;\n}\n\n/** The same for reports",
      "new":
        '  if (websites === null && context.store.catalogue().website(String(named.key))) throw notOwn("key");\n  if (websites === null) throw notOwn(named.parameter);\n  return websites;\n}\n\n/** The same for reports',
    },
  ],
};

export const keepsPlainSecrets: Broken = {
  name: "keeps integration secrets as they are",
  edits: [
    {
      file: "server/store/catalogue/integration-secrets.ts",
      old: "      last_four: secret.slice(-4),",
      "new": "      last_four: secret,",
    },
  ],
};

export const takesRevokedKeys: Broken = {
  name: "goes on taking keys that were revoked",
  edits: [
    {
      file: "server/store/snapshot/snapshot.ts",
      old: "if (key.revokedAt === null) this.#apiKeys.set(key.id, key);",
      "new": "if (true) this.#apiKeys.set(key.id, key);",
    },
    {
      file: "server/core/api-key.ts",
      old: "return stored.revokedAt === null && (",
      "new": "return stored.revokedAt !== 0 && (",
    },
  ],
};
