import type { Mutant } from "./trial.ts";

/** A mutant whose trial says which of its claims it breaks. */
type Broken = Omit<Mutant, "breaks">;

export const throwsForAnOddHeader: Broken = {
  name: "throws for a header that nobody sends",
  edits: [
    {
      file: "server/http/page-route.ts",
      old: "      refuseCredential(call);\n      const other",
      "new":
        '      refuseCredential(call);\n      if (call.headers["sec-gpc"] === "1, 1") throw new TypeError("odd");\n      const other',
    },
  ],
};

export const endsForAnOddCookie: Broken = {
  name: "ends for a cookie that nobody has",
  edits: [
    {
      file: "server/http/cookies.ts",
      old: "  const beginning = ",
      "new":
        '  if (headers.cookie?.includes("; ;;")) setImmediate(() => { throw new Error("odd"); });\n  const beginning = ',
    },
  ],
};

export const leaksMemory: Broken = {
  name: "keeps a little of every call for good",
  edits: [
    {
      file: "server/http/node-call.ts",
      old: 'const own = Symbol("call");',
      "new":
        'const own = Symbol("call");\nconst kept: Buffer[] = [];\nsetInterval(() => kept.push(Buffer.alloc(4_000_000, 1)), 100).unref();',
    },
  ],
};

export const answersByPlainJson: Broken = {
  name: "answers wrong queries by plain JSON",
  edits: [
    {
      file: "server/http/problem.ts",
      old: '"application/problem+json; charset=utf-8"',
      "new":
        'problem.code === "repeated_parameter" ? "application/json" : "application/problem+json; charset=utf-8"',
    },
  ],
};

export const logsAddresses: Broken = {
  name: "logs where calls come from",
  edits: [
    {
      file: "server/http/access-log.ts",
      old: 'log({ event: "request", ...loggedCall(call), status, milliseconds, ...cut }, call);',
      "new":
        'log({ event: "request", ...loggedCall(call), status, milliseconds, ...cut, from: call.headers["x-forwarded-for"] }, call);',
    },
    {
      file: "server/log/clean.ts",
      old: "return (detail) => clean(detail, 0);",
      "new": "return (detail) => clean({ detail }, 0) === null ? null : detail;",
    },
  ],
};

export const matchesEndsOfOrigins: Broken = {
  name: "takes an origin for registered that ends like one",
  edits: [
    {
      file: "server/http/site-origin.ts",
      old: "  if (website.origins.includes(origin)) return",
      "new":
        '  if (website.origins.some((one) => origin.endsWith(one.replace("https://", "")))) return true;\n  if (website.origins.includes(origin)) return',
    },
  ],
};

export const letsEveryOriginRead: Broken = {
  name: "lets every origin read",
  edits: [
    {
      file: "server/http/answer.ts",
      old: "return told.website !== null || registeredOrigin(context, call) !== null ? grantTo(origin) : nothing;",
      "new":
        "return told.website !== null || registeredOrigin(context, call) !== null || true ? grantTo(origin) : nothing;",
    },
  ],
};

export const takesTheLeftmostAddress: Broken = {
  name: "takes the left-most address for the caller's",
  edits: [
    {
      file: "server/http/client-address.ts",
      old: "entries[entries.length - hop]?.trim()",
      "new": "entries[hop - 1]?.trim()",
    },
  ],
};

export const believesAnotherHeader: Broken = {
  name: "believes another header",
  edits: [
    {
      file: "server/http/client-address.ts",
      old: 'const forwarded = call.headers["x-forwarded-for"];',
      "new": 'const forwarded = call.headers["cf-connecting-ip"] ?? call.headers["x-forwarded-for"];',
    },
  ],
};

export const letsEveryWebsiteSimulate: Broken = {
  name: "lets every website simulate",
  edits: [
    {
      file: "server/routes/place.ts",
      old: "placesOf(query, call, context, website.development)",
      "new": "placesOf(query, call, context, true)",
    },
  ],
};

export const goesWhereTheQuerySays: Broken = {
  name: "goes where the query says",
  edits: [
    {
      file: "server/routes/hop.ts",
      old: "  const click = openClick(context, given.call);\n",
      "new":
        '  const click = openClick(context, given.call);\n  const { next } = parseQuery(given.call);\n  if (typeof next === "string") return leaveTo({ kind: "landing", url: next });\n',
    },
  ],
};

export const takesAnySpelling: Broken = {
  name: "takes a token in any spelling",
  edits: [
    {
      file: "server/core/token-text.ts",
      old: 'return bytes.toString("base64url") === text ? bytes : null;',
      "new": "return bytes;",
    },
  ],
};

export const comparesHalfOfASignature: Broken = {
  name: "compares half of a signature",
  edits: [
    {
      file: "server/core/click-token.ts",
      old: "timingSafeEqual(macOf(clickHash, signed), mac)",
      "new": "timingSafeEqual(macOf(clickHash, signed).subarray(0, 8), mac.subarray(0, 8))",
    },
  ],
};

export const billsRobots: Broken = {
  name: "bills robots",
  edits: [
    {
      file: "server/core/edge-refusals.ts",
      old: 'if (caller?.isBot) reasons.push("bot");',
      "new": "",
    },
  ],
};

export const reportsNoRefusals: Broken = {
  name: "leaves what is refused out of reports",
  edits: [
    {
      file: "server/core/figures.ts",
      old: "of: ({ isFiltered }) => (isFiltered ? 1 : 0) },",
      "new": "of: () => 0 },",
    },
  ],
};

export const announcesHalfOfTheTime: Broken = {
  name: "announces half of the time",
  edits: [
    {
      file: "server/http/rate-limits.ts",
      old: '["Retry-After", String(turn.resetSeconds)]',
      "new": '["Retry-After", String(Math.ceil(turn.resetSeconds / 2))]',
    },
  ],
};

export const waitsForHeads: Broken = {
  name: "waits for a head as long as Node does",
  edits: [
    {
      file: "server/http/server-limits.ts",
      old: "  headersTimeout: 5_000,\n",
      "new": "  headersTimeout: 60_000,\n",
    },
    {
      file: "server/http/server-limits.ts",
      old: "  requestTimeout: ",
      "new": "  requestTimeout: 30_000 + ",
    },
  ],
};

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

export const believesTheSameSite: Broken = {
  name: "believes a page of the same site",
  edits: [
    {
      file: "server/core/same-origin.ts",
      old: 'return site === "same-origin";',
      "new": 'return site === "same-origin" || site === "same-site";',
    },
  ],
};

export const readsCredentialsSlowly: Broken = {
  name: "reads a credential by an expression that goes back and forth",
  edits: [
    {
      file: "server/core/bearer.ts",
      old: "const bearer = /^bearer +",
      "new": "const bearer = /^bearer +(?: *)",
    },
    {
      file: "server/core/bearer.ts",
      old: "header.length > 4096",
      "new": "header.length > 40_960",
    },
  ],
};

export const endsForTextThatCannotBe: Broken = {
  name: "lets an id that PostgreSQL has no text for end the desk",
  engines: ["postgres"],
  // One of some thousand requests has such an id in a place where it gets so far.
  profile: "full",
  edits: [
    {
      file: "server/desk/desk-thread.ts",
      old: "error instanceof UnknownSubject || isOfNoText(error)",
      new: "error instanceof UnknownSubject",
    },
  ],
};
