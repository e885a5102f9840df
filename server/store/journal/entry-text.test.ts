import { expect, test } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import {
  beacon,
  blocked,
  hop,
  impression,
  morning,
  payerOf,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { opening, sessionOf, trigger } from "../conformance/sessions-for-tests.ts";
import { entriesOf, entriesText } from "./entry-text.ts";

const visit = visitOf("r1", { region: "BE", surface: "section", test: true });
const [handed] = served(visit, [7], { micros: 12 }).offers;
const session = sessionOf(1);

test.each<JournalEntry>([
  blocked(visit),
  { ...blocked(visit), ...(handed && { offer: handed }) },
  { ...blocked(visit), decidedBy: { catalogue: 7, geoSource: 332_133 } },
  { ...blocked(visit), observed: ["search_engine"] },
  { ...blocked(visit), decidedBy: { catalogue: 7, geoSource: 332_133 }, isAgain: true },
  served(visit, [1, 2, 3]),
  { ...served(visit, [1]), observed: ["search_engine"] },
  { ...served(visit, [1]), catalogue: 8, decidedBy: { catalogue: 7, geoSource: 1 } },
  { ...served(visit, []), mark: "geo_mismatch" },
  impression(visit, 4, [], { visitor: "viewer", network: "net" }),
  { ...impression(visit, 4), isBilledByViews: true },
  {
    ...impression(visit, 0, ["bot", "rate"]),
    placement: null,
    position: null,
    clientHints: { language: "de" },
  },
  beacon(visit, 5, ["expired"]),
  hop(visit, 6),
  { ...hop({ ...visit, browser: 3 }, 6, [], payerOf(null, "one")), mark: "unregistered_referrer" },
  { ...beacon(visit, 5), isReported: true },
  {
    kind: "snippet_ping",
    websiteId: 1,
    host: "shop.example",
    url: "https://shop.example/",
    scriptVersion: "1",
    surface: "overlay",
    at: morning,
  },
  {
    kind: "server_event",
    type: "click",
    visit,
    offer: { offer: 1, vertical: "games", payoutModel: "CPC", priceMicros: 1, currency: "EUR" },
    observed: [],
    viewer: null,
    standsAlone: false,
    idempotency: { scope: "key events", key: "k", fingerprint: "f", isTooOld: true },
    receivedAt: morning,
  },
  { kind: "dismissed", visitor: "v".repeat(22), at: morning },
  opening(session),
  trigger(session.sessionId, morning),
  { kind: "key_used", keyId: "k", at: morning },
])("a $kind crosses between threads as it is", (entry) => {
  expect(entriesOf(entriesText([entry, entry]))).toEqual([entry, entry]);
});
