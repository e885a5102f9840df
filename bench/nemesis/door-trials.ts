import { tokenFlips } from "../token-flips.ts";
import { claimedAddresses, simulatedPlaces } from "./door/addresses.ts";
import { blowUps } from "./door/blow-ups.ts";
import { foreignPages } from "./door/foreign-pages.ts";
import { fuzz } from "./door/fuzz.ts";
import { invalidTraffic } from "./door/invalid-traffic.ts";
import { announcedLimits } from "./door/limits.ts";
import { foreignOrigins } from "./door/origins.ts";
import { keptSecrets } from "./door/secrets.ts";
import { slowSockets } from "./door/slow-sockets.ts";
import { otherTenants } from "./door/tenants.ts";
import { strangeLinks } from "./door/tokens.ts";
import type { Trial } from "./trial.ts";

const engines = ["sqlite", "postgres"] as const;

/** What strangers send: bytes, origins, addresses, tokens. */
export const doorTrials: readonly Trial[] = [
  {
    id: "P6.fuzz",
    promise: "No input ends the service, is answered by 500, or leaves a trace of who sent it.",
    engines,
    profiles: ["quick", "full"],
    figure: "50,000 requests: 0 answers of 500 and above, 0 exits, less than 64 MB more after a collection",
    run: ({ engine, profile, random }) =>
      fuzz({ engine, random, requests: profile === "full" ? 50_000 : 4000 }),
    mutants: [
      {
        name: "throws for a header that nobody sends",
        edits: [
          {
            file: "server/http/page-route.ts",
            old: "      refuseCredential(call);\n      const other",
            new: '      refuseCredential(call);\n      if (call.headers["sec-gpc"] === "1, 1") throw new TypeError("odd");\n      const other',
          },
        ],
        breaks: "answers of 500 and above",
      },
      {
        name: "ends for a cookie that nobody has",
        edits: [
          {
            file: "server/http/cookies.ts",
            old: "  const beginning = ",
            new: '  if (headers.cookie?.includes("; ;;")) setImmediate(() => { throw new Error("odd"); });\n  const beginning = ',
          },
        ],
        breaks: "processes that ended",
      },
      {
        name: "keeps a little of every call for good",
        edits: [
          {
            file: "server/http/node-call.ts",
            old: 'const own = Symbol("call");',
            new: 'const own = Symbol("call");\nconst kept: Buffer[] = [];\nsetInterval(() => kept.push(Buffer.alloc(4_000_000, 1)), 100).unref();',
          },
        ],
        breaks: "growth of what is held",
      },
      {
        name: "answers wrong queries by plain JSON",
        edits: [
          {
            file: "server/http/problem.ts",
            old: '"application/problem+json; charset=utf-8"',
            new: 'problem.code === "repeated_parameter" ? "application/json" : "application/problem+json; charset=utf-8"',
          },
        ],
        breaks: "problems that are no problem document",
      },
      {
        name: "logs where calls come from",
        edits: [
          {
            file: "server/app.ts",
            old: 'log.debug({ request, method, path, status: res.statusCode, milliseconds }, "request");',
            new: 'log.debug({ request, method, path, status: res.statusCode, milliseconds, from: req.headers["x-forwarded-for"] }, "request");',
          },
        ],
        breaks: "traces of callers",
      },
    ],
  },
  {
    id: "P8.origins",
    promise: "A website is served to the pages of its registered origins alone.",
    engines,
    profiles: ["quick", "full"],
    figure: "0 of 480 and more admitted, 0 grants, Vary: Origin on every answer",
    run: foreignOrigins,
    mutants: [
      {
        name: "takes an origin for registered that ends like one",
        edits: [
          {
            file: "server/http/site-origin.ts",
            old: "  if (website.origins.includes(origin)) return",
            new: '  if (website.origins.some((one) => origin.endsWith(one.replace("https://", "")))) return true;\n  if (website.origins.includes(origin)) return',
          },
        ],
        breaks: "foreign pages admitted",
      },
      {
        name: "lets every origin read",
        edits: [
          {
            file: "server/http/answer.ts",
            old: "return told.website !== null || registeredOrigin(context, call) !== null ? grantTo(origin) : nothing;",
            new: "return told.website !== null || registeredOrigin(context, call) !== null || true ? grantTo(origin) : nothing;",
          },
        ],
        breaks: "foreign pages that may read the answer",
      },
    ],
  },
  {
    id: "P9.addresses",
    promise: "A caller cannot choose its address, its country or whom it is counted as.",
    engines,
    profiles: ["quick", "full"],
    figure: "30 claims at 0, 1 and 2 hops: 0 change country, bucket or whats-my-ip",
    run: ({ engine, profile }) => claimedAddresses({ engine, hops: profile === "full" ? [0, 1, 2] : [1] }),
    mutants: [
      {
        name: "takes the left-most address for the caller's",
        edits: [
          {
            file: "server/http/client-address.ts",
            old: "entries[entries.length - hop]?.trim()",
            new: "entries[hop - 1]?.trim()",
          },
        ],
        breaks: "claims that moved whats-my-ip",
      },
      {
        name: "believes another header",
        edits: [
          {
            file: "server/http/client-address.ts",
            old: 'const forwarded = call.headers["x-forwarded-for"];',
            new: 'const forwarded = call.headers["cf-connecting-ip"] ?? call.headers["x-forwarded-for"];',
          },
        ],
        breaks: "claims that moved a decision",
      },
    ],
  },
  {
    id: "P10.simulated-places",
    promise: "A simulated place works on development websites alone, and costs nobody anything.",
    engines,
    profiles: ["full"],
    figure: "12 spellings: 0 effects; 0 lines of the ledger, 0 rows in live reports",
    run: simulatedPlaces,
    mutants: [
      {
        name: "lets every website simulate",
        edits: [
          {
            file: "server/routes/place.ts",
            old: "placesOf(query, call, context, website.development)",
            new: "placesOf(query, call, context, true)",
          },
        ],
        breaks: "spellings that a live website obeyed",
      },
    ],
  },
  {
    id: "P11.links",
    promise: "A link leads to the page that is stored with its offer, or nowhere.",
    engines,
    profiles: ["full"],
    figure: "10,000 altered links: 0 redirects elsewhere, 0 headers injected",
    run: ({ engine, random }) => strangeLinks({ engine, random, links: 10_000 }),
    mutants: [
      {
        name: "goes where the query says",
        edits: [
          {
            file: "server/routes/hop.ts",
            old: "  const click = openClick(context, given.call);\n",
            new: '  const click = openClick(context, given.call);\n  const { next } = parseQuery(given.call);\n  if (typeof next === "string") return leaveTo({ kind: "landing", url: next });\n',
          },
        ],
        breaks: "redirects to anywhere but the stored page",
      },
    ],
  },
  {
    id: "P12.tokens",
    promise: "A token that was altered in one bit, or is of another purpose or website, is refused.",
    engines,
    profiles: ["quick", "full"],
    figure: "0 of all flips accepted, 0 stored",
    run: ({ engine }) => tokenFlips({ engine }),
    mutants: [
      {
        name: "takes a token in any spelling",
        edits: [
          {
            file: "server/core/token-text.ts",
            old: 'return bytes.toString("base64url") === text ? bytes : null;',
            new: "return bytes;",
          },
        ],
        breaks: "altered click tokens not refused",
      },
      {
        name: "compares half of a signature",
        edits: [
          {
            file: "server/core/click-token.ts",
            old: "timingSafeEqual(macOf(clickHash, signed), mac)",
            new: "timingSafeEqual(macOf(clickHash, signed).subarray(0, 8), mac.subarray(0, 8))",
          },
        ],
        breaks: "altered click tokens not refused",
      },
    ],
  },
  {
    id: "P13.invalid-traffic",
    promise:
      "Traffic that is worth nothing is answered like any, stored with its reason, and billed to nobody.",
    engines,
    profiles: ["full"],
    figure: "14 reasons and more; in every row gross is net and refused, exactly",
    run: invalidTraffic,
    mutants: [
      {
        name: "bills robots",
        edits: [
          { file: "server/core/edge-refusals.ts", old: 'if (caller?.isBot) reasons.push("bot");', new: "" },
        ],
        breaks: "clicks by reason, where they are others",
      },
      {
        name: "leaves what is refused out of reports",
        edits: [
          {
            file: "server/core/figures.ts",
            old: "of: ({ isFiltered }) => (isFiltered ? 1 : 0) },",
            new: "of: () => 0 },",
          },
        ],
        breaks: "rows in which gross is not net and refused",
      },
    ],
  },
  {
    id: "P14.limits",
    promise: "What an answer says of its limit comes true.",
    engines,
    profiles: ["full"],
    figure: "12 limits: r counts down, the first call after Retry-After is admitted; error at most 1 s",
    run: announcedLimits,
    mutants: [
      {
        name: "announces half of the time",
        edits: [
          {
            file: "server/http/rate-limits.ts",
            old: '["Retry-After", String(turn.resetSeconds)]',
            new: '["Retry-After", String(Math.ceil(turn.resetSeconds / 2))]',
          },
        ],
        breaks: "what was announced and did not come true",
        profile: "full",
      },
    ],
  },
  {
    id: "P20.slow-sockets",
    promise: "Clients that are slow, silent or do not read are dropped, and nobody else notices them.",
    engines,
    profiles: ["full"],
    figure: "500 slow heads, 500 slow bodies: all dropped within 10 s, p99 of others at most doubled",
    run: ({ engine }) => slowSockets({ engine, sockets: 500 }),
    mutants: [
      {
        name: "waits for a head as long as Node does",
        edits: [
          {
            file: "server/http/server-limits.ts",
            old: "  headersTimeout: 5_000,\n",
            new: "  headersTimeout: 60_000,\n",
          },
          {
            file: "server/http/server-limits.ts",
            old: "  requestTimeout: ",
            new: "  requestTimeout: 30_000 + ",
          },
        ],
        breaks: "seconds until the last of the slow heads was dropped",
        profile: "full",
      },
    ],
  },
  {
    id: "P21.tenants",
    promise: "What belongs to another publisher is answered as what nobody has.",
    engines,
    profiles: ["quick", "full"],
    figure:
      "every route that takes an id: 0 leaks, the answer about another's is that about an unknown one's",
    run: otherTenants,
    mutants: [
      {
        name: "makes secrets for whoever asks",
        edits: [
          {
            file: "server/desk/website-commands.ts",
            old: "    await requireOwnWebsite(desk.db, own);\n    return createIntegrationSecret",
            new: "    return createIntegrationSecret",
          },
        ],
        breaks: "routes that let another tenant in",
      },
      {
        name: "saves an allowlist before it looks whose it is",
        edits: [
          {
            file: "server/desk/website-commands.ts",
            old: "    await requireOwnWebsite(desk.db, asked);\n    const { warnings }",
            new: "    const { warnings }",
          },
        ],
        breaks: "tables that all of that changed",
      },
      {
        name: "tells another publisher's website from an unknown one",
        edits: [
          {
            file: "server/routes/own-website.ts",
            old: "  if (websites === null) throw notOwn(named.parameter);\n  return websites;\n}\n\n/** The same for reports",
            new: '  if (websites === null && context.store.catalogue().website(String(named.key))) throw notOwn("key");\n  if (websites === null) throw notOwn(named.parameter);\n  return websites;\n}\n\n/** The same for reports',
          },
        ],
        breaks: "routes that tell another tenant's from unknown",
      },
    ],
  },
  {
    id: "P22.secrets",
    promise: "No secret and no visitor can be read from what is kept, and what is taken away opens nothing.",
    engines,
    profiles: ["full"],
    figure: "0 hits in files, tables and logs; refused within 5 s by every node",
    run: ({ engine }) => keptSecrets({ engine, visitors: 60 }),
    mutants: [
      {
        name: "keeps integration secrets as they are",
        edits: [
          {
            file: "server/store/catalogue/integration-secrets.ts",
            old: "      last_four: secret.slice(-4),",
            new: "      last_four: secret,",
          },
        ],
        breaks: "secrets and visitors in what is kept",
        profile: "full",
      },
      {
        name: "goes on taking keys that were revoked",
        edits: [
          {
            file: "server/store/snapshot/snapshot.ts",
            old: "if (key.revokedAt === null) this.#apiKeys.set(key.id, key);",
            new: "if (true) this.#apiKeys.set(key.id, key);",
          },
          {
            file: "server/core/api-key.ts",
            old: "return stored.revokedAt === null && (",
            new: "return stored.revokedAt !== 0 && (",
          },
        ],
        breaks: "seconds for which an API key",
        profile: "full",
      },
    ],
  },
  {
    id: "P24.foreign-pages",
    promise: "No page but the dashboard's own changes anything in it.",
    engines,
    profiles: ["full"],
    figure: "every change from 11 kinds of foreign pages: 0 made",
    run: foreignPages,
    mutants: [
      {
        name: "believes a page of the same site",
        edits: [
          {
            file: "server/core/same-origin.ts",
            old: 'return site === "same-origin";',
            new: 'return site === "same-origin" || site === "same-site";',
          },
        ],
        breaks: "changes that foreign pages were given",
      },
    ],
  },
  {
    id: "P31.blow-ups",
    promise: "No text makes work without end for whatever reads it.",
    engines,
    profiles: ["full"],
    figure: "texts of 16 KiB everywhere: each less than 5 ms of CPU",
    run: blowUps,
    mutants: [
      {
        name: "reads a credential by an expression that goes back and forth",
        edits: [
          {
            file: "server/core/bearer.ts",
            old: "const bearer = /^bearer +",
            new: "const bearer = /^bearer +(?: *)",
          },
          { file: "server/core/bearer.ts", old: "header.length > 4096", new: "header.length > 40_960" },
        ],
        breaks: "CPU of the worst",
        profile: "full",
      },
    ],
  },
];
