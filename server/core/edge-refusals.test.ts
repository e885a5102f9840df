import { requestLifetimes } from "@offers/contract/words";
import { expect, test } from "vitest";
import { type EdgeSight, edgeRefusals, reportedRefusals, visitRefusals } from "./edge-refusals.ts";
import { sampleOffer } from "./sample-catalogue.ts";
import { suppressionOf } from "./suppression.ts";

const dayMs = requestLifetimes.eventsSeconds * 1000;
const newJersey = { country: "US", region: "NJ" };
const person = { isBot: false, hasUserAgent: true, isInternal: false, network: null, isNavigation: true };
const inDataCentre = { ...person, network: "datacenter" as const };
const engine = { ...person, network: "search_engine" as const };
const selfExcluded = suppressionOf({ reason: "self_excluded", verticals: ["pets"] });
const offerOf = (vertical: string) => sampleOffer({ id: "offer_1", geoCoverage: ["US"], vertical });
const offerFor = (...geoCoverage: string[]) => sampleOffer({ id: "offer_1", geoCoverage });

const good: EdgeSight = {
  caller: person,
  decidedAt: null,
  ageMs: 1000,
  offer: offerFor("US"),
  isPermitted: true,
  suppression: null,
  isPaused: false,
  location: null,
};

test.each([
  ["nothing speaks against a good event", {}, []],
  ["an event on the last millisecond of its day is in time", { ageMs: dayMs }, []],
  ["an event a day later is too late", { ageMs: dayMs + 1 }, ["expired"]],
  ["a clock that was set back makes nothing expire", { ageMs: -60_000 }, []],
  ["the allowlist is asked once more", { isPermitted: false }, ["not_permitted"]],
  [
    "an offer that is withheld from its visitor is not permitted",
    { suppression: selfExcluded, offer: offerOf("casino") },
    ["not_permitted"],
  ],
  [
    "nor is one of a vertical that was named",
    { suppression: selfExcluded, offer: offerOf("pets") },
    ["not_permitted"],
  ],
  ["and any other one is", { suppression: selfExcluded, offer: offerOf("travel") }, []],
  ["an offer that nobody knows is permitted nowhere", { offer: undefined }, ["not_permitted"]],
  ["a paused offer is seen", { isPaused: true }, ["paused"]],
  ["a robot is known", { caller: { ...person, isBot: true } }, ["bot"]],
  ["no user agent counts as one", { caller: { ...person, hasUserAgent: false } }, ["empty_user_agent"]],
  ["a link that opens no page is seen", { caller: { ...person, isNavigation: false } }, ["not_navigated"]],
  ["the operator's own network is", { caller: { ...person, isInternal: true } }, ["internal_address"]],
  ["a data centre is known", { caller: inDataCentre }, ["datacenter"]],
  ["a search engine is, and is no data centre besides", { caller: engine }, ["search_engine"]],
  [
    "an engine that names itself is both, and told as what was verified",
    { caller: { ...engine, isBot: true } },
    ["bot", "search_engine"],
  ],
  [
    "a search engine's visit is one whoever goes on with it",
    { decidedAt: "search_engine" },
    ["search_engine"],
  ],
  ["a visitor who has left a data centre since is one", { decidedAt: "datacenter" }, []],
  [
    "of whom a server speaks the decision's address is judged",
    { caller: null, decidedAt: "datacenter" },
    ["datacenter"],
  ],
  ["and a search engine of whom it speaks", { caller: null, decidedAt: "search_engine" }, ["search_engine"]],
  ["of whom a server speaks nothing else is seen", { caller: null }, []],
  ["a click within the offer's country is welcome", { location: newJersey }, []],
  ["a click from elsewhere is not", { location: { country: "FR", region: "" } }, ["geo_mismatch"]],
  ["an address that cannot be located contradicts nothing", { location: { country: "ZZ", region: "" } }, []],
  ["an offer for one region takes it", { offer: offerFor("US-NJ"), location: newJersey }, []],
  [
    "and refuses the region beside it",
    { offer: offerFor("US-NJ"), location: { country: "US", region: "NY" } },
    ["geo_mismatch"],
  ],
  [
    "a region that is unknown contradicts nothing either",
    { offer: offerFor("US-NJ"), location: { country: "US", region: "" } },
    [],
  ],
  [
    "nor where the offer is for parts of two countries",
    { offer: offerFor("US-NJ", "DE-BE"), location: { country: "US", region: "" } },
    [],
  ],
  [
    "an offer for anywhere takes nowhere",
    { offer: offerFor("*"), location: { country: "ZZ", region: "" } },
    [],
  ],
  [
    "every reason is told, not the first one only",
    { ageMs: dayMs + 1, isPermitted: false, isPaused: true, caller: { ...person, isBot: true } },
    ["expired", "bot", "not_permitted", "paused"],
  ],
] satisfies [string, Partial<EdgeSight>, string[]][])("%s", (_, sight, expected) => {
  expect(edgeRefusals({ ...good, ...sight }).toSorted()).toEqual(expected.toSorted());
});

test.each([
  ["served", []],
  ["impression", ["datacenter"]],
  ["click", ["datacenter"]],
] as const)("a server that reports %s for somebody in a data centre is refused: %j", (type, expected) => {
  expect(reportedRefusals(type, { ...good, caller: null, decidedAt: "datacenter" })).toEqual(expected);
});

test.each([
  ["anybody's counts", null, []],
  ["one from a data centre counts: what is to be billed is judged by itself", "datacenter", []],
  ["a search engine's does not", "search_engine", ["search_engine"]],
] as const)("of visits %s", (_, decidedAt, expected) => {
  expect(visitRefusals(decidedAt)).toEqual(expected);
});
