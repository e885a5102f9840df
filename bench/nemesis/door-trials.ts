import { tokenFlips } from "../token-flips.ts";
import { claimedAddresses, simulatedPlaces } from "./door/addresses.ts";
import { blowUps } from "./door/blow-ups.ts";
import {
  answersHeadersOfTheQuery,
  believesAnotherHeader,
  believesOneHopFurther,
  believesTheSameSite,
  billsRobots,
  billsSimulatedVisits,
  comparesHalfOfASignature,
  goesWhereTheQuerySays,
  letsEveryOriginRead,
  letsEveryWebsiteSimulate,
  matchesEndsOfOrigins,
  reportsNoRefusals,
  takesALinkForARequestId,
  takesAnotherWebsitesRequest,
  takesAnySpelling,
  takesARequestIdForALink,
  takesTheLeftmostAddress,
} from "./door/claim-mutants.ts";
import { foreignPages } from "./door/foreign-pages.ts";
import { fuzz } from "./door/fuzz.ts";
import {
  announcesHalfOfTheTime,
  answersByPlainJson,
  endsForALongCookie,
  endsForAnOddCookie,
  endsForTextThatCannotBe,
  leaksInItsWriter,
  leaksMemory,
  logsAddresses,
  readsCredentialsSlowly,
  throwsForAnOddHeader,
  waitsForHeads,
} from "./door/input-mutants.ts";
import { invalidTraffic } from "./door/invalid-traffic.ts";
import { announcedLimits } from "./door/limits.ts";
import { foreignOrigins } from "./door/origins.ts";
import { keptSecrets } from "./door/secrets.ts";
import { slowSockets } from "./door/slow-sockets.ts";
import {
  keepsPlainSecrets,
  makesSecretsForAnybody,
  savesBeforeItLooks,
  takesRevokedKeys,
  tellsWebsitesApart,
} from "./door/tenant-mutants.ts";
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
    figure: {
      full: "50,000 requests: 0 answers of 500 and above, 0 exits, at most 64 MB more after a collection",
      quick: "4,000 requests: 0 answers of 500 and above, 0 exits, at most 8 MB more after a collection",
    },
    run: ({ engine, profile, random }) =>
      fuzz({ engine, random, requests: profile === "full" ? 50_000 : 4000 }),
    mutants: [
      { ...throwsForAnOddHeader, breaks: "answers of 500 and above" },
      { ...endsForAnOddCookie, breaks: "processes that ended" },
      { ...endsForTextThatCannotBe, breaks: "processes that ended" },
      { ...leaksMemory, breaks: "growth of what is held" },
      { ...leaksInItsWriter, breaks: "growth of what is held" },
      { ...answersByPlainJson, breaks: "problems that are no problem document" },
      { ...logsAddresses, breaks: "traces of callers" },
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
      { ...matchesEndsOfOrigins, breaks: "foreign pages admitted" },
      { ...letsEveryOriginRead, breaks: "foreign pages that may read the answer" },
    ],
  },
  {
    id: "P9.addresses",
    promise: "A caller cannot choose its address, its country or whom it is counted as.",
    engines,
    profiles: ["quick", "full"],
    figure: {
      full: "30 claims at 0, 1 and 2 hops: 0 change country, bucket or whats-my-ip",
      quick: "30 claims at one hop: 0 change country, bucket or whats-my-ip",
    },
    run: ({ engine, profile }) => claimedAddresses({ engine, hops: profile === "full" ? [0, 1, 2] : [1] }),
    mutants: [
      { ...takesTheLeftmostAddress, breaks: "claims that moved whats-my-ip" },
      { ...believesAnotherHeader, breaks: "claims that moved a decision" },
      { ...believesOneHopFurther, breaks: "claims that moved whats-my-ip" },
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
      { ...letsEveryWebsiteSimulate, breaks: "spellings that a live website obeyed" },
      { ...billsSimulatedVisits, breaks: "lines of the ledger after it" },
    ],
  },
  {
    id: "P11.links",
    promise: "A link leads to the page that is stored with its offer, or nowhere.",
    engines,
    profiles: ["full"],
    figure: {
      full: "10,000 altered links: 0 redirects elsewhere, 0 headers injected",
      quick: "2,000 altered links: 0 redirects elsewhere, 0 headers injected",
    },
    run: ({ engine, profile, random }) =>
      strangeLinks({ engine, random, links: profile === "full" ? 10_000 : 2000 }),
    mutants: [
      { ...goesWhereTheQuerySays, breaks: "redirects to anywhere but the stored page" },
      { ...answersHeadersOfTheQuery, breaks: "answers with a header that the caller put there" },
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
      { ...takesAnySpelling, breaks: "altered click tokens not refused" },
      { ...comparesHalfOfASignature, breaks: "altered click tokens not refused" },
      { ...takesARequestIdForALink, breaks: "a requestId as a click token" },
      { ...takesALinkForARequestId, breaks: "a click token as a requestId" },
      { ...takesAnotherWebsitesRequest, breaks: "another website's requestId at /v1/offers" },
      { ...takesAnotherWebsitesRequest, breaks: "another website's requestId at /v1/events/click" },
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
      { ...billsRobots, breaks: "clicks by reason, where they are others" },
      { ...reportsNoRefusals, breaks: "rows in which gross is not net and refused" },
    ],
  },
  {
    id: "P14.limits",
    promise: "What an answer says of its limit comes true.",
    engines,
    profiles: ["full"],
    figure: "13 limits: r counts down, the first call after Retry-After is admitted; error at most 1 s",
    run: announcedLimits,
    mutants: [{ ...announcesHalfOfTheTime, breaks: "what was announced and did not come true" }],
  },
  {
    id: "P20.slow-sockets",
    promise: "Clients that are slow, silent or do not read are dropped, and nobody else notices them.",
    engines,
    profiles: ["full"],
    figure: {
      full: "500 slow heads, 500 slow bodies: all dropped within 10 s, and half a second for the clock; p99 of others at most doubled, or 20 ms more",
      quick:
        "150 slow heads, 150 slow bodies: all dropped within 10 s, and half a second for the clock; p99 of others at most doubled, or 20 ms more",
    },
    run: ({ engine, profile }) => slowSockets({ engine, sockets: profile === "full" ? 500 : 150 }),
    mutants: [{ ...waitsForHeads, breaks: "seconds until the last of the slow heads was dropped" }],
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
      { ...makesSecretsForAnybody, breaks: "routes that let another tenant in" },
      { ...savesBeforeItLooks, breaks: "tables that all of that changed" },
      { ...tellsWebsitesApart, breaks: "routes that tell another tenant's from unknown" },
    ],
  },
  {
    id: "P22.secrets",
    promise: "No secret and no visitor can be read from what is kept, and what is taken away opens nothing.",
    engines,
    profiles: ["full"],
    figure: {
      full: "60 visitors: 0 hits in files, tables and logs; refused within 5 s by every node",
      quick: "15 visitors: 0 hits in files, tables and logs; refused within 5 s by every node",
    },
    run: ({ engine, profile }) => keptSecrets({ engine, visitors: profile === "full" ? 60 : 15 }),
    mutants: [
      { ...keepsPlainSecrets, breaks: "secrets and visitors in what is kept" },
      { ...takesRevokedKeys, breaks: "seconds for which an API key" },
    ],
  },
  {
    id: "P24.foreign-pages",
    promise: "No page but the dashboard's own changes anything in it.",
    engines,
    profiles: ["full"],
    figure: "every change from 11 kinds of foreign pages: 0 made",
    run: foreignPages,
    mutants: [{ ...believesTheSameSite, breaks: "changes that foreign pages were given" }],
  },
  {
    id: "P31.blow-ups",
    promise: "No text makes work without end for whatever reads it.",
    engines,
    profiles: ["full"],
    figure: "texts of 16 KiB everywhere: all answered, each less than 5 ms of CPU, 0 exits",
    run: blowUps,
    mutants: [
      { ...readsCredentialsSlowly, breaks: "CPU of the worst" },
      { ...endsForALongCookie, breaks: "processes that ended" },
    ],
  },
];
