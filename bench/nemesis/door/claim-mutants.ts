import type { Broken } from "../trial.ts";

// Programs that believe what callers say of themselves, of their place or of their link, and bill whoever they are.

export const matchesEndsOfOrigins: Broken = {
  name: "takes an origin for registered that ends like one",
  edits: [
    {
      file: "server/core/compiled-catalogue.ts",
      old: "website.origins.includes(origin)",
      "new": 'website.origins.some((one) => origin.endsWith(one.replace("https://", "")))',
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

export const believesOneHopFurther: Broken = {
  name: "believes one entry more than there are trusted proxies",
  edits: [
    {
      file: "server/http/client-address.ts",
      old: "hop <= trustedHops;",
      new: "hop <= trustedHops + 1;",
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
