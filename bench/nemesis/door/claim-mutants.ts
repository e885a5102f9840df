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

export const billsSimulatedVisits: Broken = {
  name: "bills what a development website's visitors do",
  edits: [
    {
      file: "server/core/event-verdict.ts",
      old: 'const bills = facts.source === "hop" && !facts.test;',
      new: 'const bills = facts.source === "hop";',
    },
    {
      file: "server/core/event-verdict.ts",
      old: 'facts.test ? null : "impression"',
      new: '"impression"',
    },
  ],
};

/** Node refuses a header with a line break in it; whoever splits the text first has put one of the caller's there. */
export const answersHeadersOfTheQuery: Broken = {
  name: "has the lines of a query among the answer's headers",
  edits: [
    {
      file: "server/routes/hop.ts",
      old: 'headers: ["Location", destination.url, "Content-Length", "0"]',
      new: 'headers: ["Location", destination.url, "Content-Length", "0", ...more]',
    },
    {
      file: "server/routes/hop.ts",
      old: "const leaveTo = (destination: HopDestination): Answer => {",
      new: "const leaveTo = (destination: HopDestination, more: readonly string[] = []): Answer => {",
    },
    {
      file: "server/routes/hop.ts",
      old: "    () => leaveTo(destination),\n    () => {",
      new:
        "    () => {\n" +
        '      const lines = String(parseQuery(given.call).x ?? "").split("\\r\\n").slice(1);\n' +
        '      return leaveTo(destination, lines.flatMap((line) => line.split(": ")));\n' +
        "    },\n    () => {",
    },
  ],
};

export const takesARequestIdForALink: Broken = {
  name: "takes a requestId for a click token",
  edits: [
    {
      file: "server/core/click-token.ts",
      old: "  if (bytes === null || !isAuthentic(keys, bytes)) return null;\n",
      new: `  const sealed = bytes && openRequestIdBytes(keys, bytes);
  if (bytes && sealed) {
    const clickId = bytes.toString("base64url", 0, clickIdBytes);
    const offerId = "offer_none" as OfferId;
    return { requestId: requestIdText(bytes), offerId, placement: "standard", position: 1, clickId, facts: sealed };
  }
  if (bytes === null || !isAuthentic(keys, bytes)) return null;
`,
    },
  ],
};

export const takesALinkForARequestId: Broken = {
  name: "takes a click token for the requestId in it",
  edits: [
    {
      file: "server/core/request-id.ts",
      old: "  return bytes === null ? null : openRequestIdBytes(keys, bytes);",
      new: `  const isLink = bytes !== null && bytes[1] === tokenPurpose.clickToken;
  const inner = isLink ? bytes.subarray(4, 4 + (bytes[3] ?? 0)) : bytes;
  return inner === null ? null : openRequestIdBytes(keys, inner);`,
    },
  ],
};

export const takesAnotherWebsitesRequest: Broken = {
  name: "takes a requestId of another website",
  edits: [
    {
      file: "server/routes/own-request.ts",
      old: "  if (facts === null || facts.websiteId !== website.id) throw",
      new: "  if (facts === null || website.id < 0) throw",
    },
    {
      file: "server/routes/own-request.ts",
      old: "if (!facts || !website || !isOwnPage || (claimed",
      new: "if (!facts || !website || (claimed",
    },
  ],
};
