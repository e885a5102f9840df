import type { Broken } from "./trial.ts";

// Programs that tests of `npm test` have to see: each is broken where one promise says how it is to be.

export const wantsNoProof: Broken = {
  name: "lets a partner go without PKCE",
  edits: [
    {
      file: "server/oauth/provider.ts",
      old: "pkce: { required: () => true },",
      new: "pkce: { required: () => false },",
    },
  ],
};

export const sendsAnywhereOfTheHost: Broken = {
  name: "sends a code to any address of a partner's host",
  edits: [
    {
      file: "server/oauth/provider.ts",
      old: "  provider.proxy = true;\n",
      new: `  provider.proxy = true;
  provider.Client.prototype.redirectUriAllowed = function isAllowed(uri: string) {
    return (this.redirectUris ?? []).some((one: string) => URL.parse(one)?.host === URL.parse(uri)?.host);
  };
`,
    },
  ],
};

export const leavesUsedCodesAlone: Broken = {
  name: "lets a code be tried until it fits",
  edits: [
    {
      file: "server/oauth/provider.ts",
      old: "    await endMisused(own, rows, clock)\n",
      new: "    await (own.status < 0 ? endMisused(own, rows, clock) : Promise.resolve())\n",
    },
  ],
};

export const writesNamesAsMarkup: Broken = {
  name: "writes a partner's name into its page as it is",
  edits: [
    {
      file: "server/oauth/consent-page.ts",
      old: "escapeHtml(partner)} asks to:",
      new: "partner} asks to:",
    },
  ],
};

export const keepsSalts: Broken = {
  name: "keeps the visitors' salts for a month",
  edits: [
    {
      file: "server/store/sqlite/housekeeping.ts",
      old: "const isAnyOld = present.some(({ day }) => day < oldest);",
      new: "const isAnyOld = present.some(({ day }) => day < oldest - 30);",
    },
    {
      file: "server/store/sqlite/housekeeping.ts",
      old: '.where("day", "<", oldest)',
      new: '.where("day", "<", oldest - 30)',
    },
  ],
};

export const erasesNoSessions: Broken = {
  name: "leaves a decline session behind when its request is erased",
  edits: [
    {
      file: "server/store/sqlite/erase.ts",
      old: 'const sessions = await eraseRows("decline_session", "request", bytesOf(request));',
      new: "const sessions = 0;",
    },
    {
      file: "server/store/postgres/erase.ts",
      old: 'const sessions = await eraseRows(client, "decline_session", "number", "request", bytesOf(request));',
      new: "const sessions = 0;",
    },
  ],
};

export const waitsLongForADecision: Broken = {
  name: "has a page wait for its decision for 25 seconds",
  edits: [
    { file: "embed/loader/ask-decision.ts", old: "const patience = 2500;", new: "const patience = 25_000;" },
  ],
};

export const takesNamesOfThePage: Broken = {
  name: "takes a name that the page has given to something else",
  edits: [
    {
      file: "embed/loader/command-queue.ts",
      old: "if (given && Object.hasOwn(page, name)) return [];",
      new: "if (name in {}) return [];",
    },
  ],
};

export const searchesByCase: Broken = {
  name: "tells capital letters apart in a search on PostgreSQL alone",
  edits: [
    {
      file: "server/store/dialects.ts",
      old: " ilike ",
      new: " like ",
    },
  ],
};
