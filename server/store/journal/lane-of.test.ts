import { sessionId } from "@offers/contract/ids";
import { expect, test } from "vitest";
import type { JournalEntry, ServerEventEntry, Viewer } from "../../core/journal-entry.ts";
import {
  beacon,
  blocked,
  hop,
  impression,
  morning,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { type Lane, laneOf } from "./lane-of.ts";

const visit = visitOf("r1");
const tested = visitOf("r2", { test: true });
const [handed] = served(visit, [1]).offers;
const seenBy = (network: string): Viewer => ({ visitor: null, network });
/** Each view comes with its network, as the route makes it (decisions.md#views-are-limited). */
const seenOnce = (of = visit) => impression(of, 1, [], seenBy("n"));
const ofCpm = (of = visit) => ({ ...seenOnce(of), isBilledByViews: true });
const cell = {
  websiteId: 1,
  country: "DE",
  region: "",
  vertical: "games",
  surface: "overlay",
  test: false,
} as const;
const reported = (differing: Partial<ServerEventEntry>): ServerEventEntry => ({
  kind: "server_event",
  type: "impression",
  visit,
  offer: { offer: 1, vertical: "games", payoutModel: "CPM", priceMicros: 1, currency: "EUR" },
  observed: [],
  viewer: null,
  standsAlone: false,
  idempotency: null,
  receivedAt: morning,
  ...differing,
});

test.each<{ name: string; entry: JournalEntry; lane: Lane }>([
  { name: "a click's hop", entry: hop(visit, 1), lane: "money" },
  { name: "a hop of test traffic, which is seldom", entry: hop(tested, 1), lane: "money" },
  { name: "the beacon beside it", entry: beacon(visit, 1), lane: "plain" },
  { name: "a view of an offer that is billed by views", entry: ofCpm(), lane: "money" },
  { name: "a view that is a test", entry: ofCpm(tested), lane: "plain" },
  { name: "a view of any other offer", entry: seenOnce(), lane: "plain" },
  { name: "a decision", entry: blocked(visit), lane: "plain" },
  {
    name: "a decision that came with an offer",
    entry: { ...blocked(visit), ...(handed && { offer: handed }) },
    lane: "money",
  },
  { name: "an answer with offers", entry: served(visit, [1]), lane: "plain" },
  { name: "links for a server", entry: { kind: "noted", visit, offers: [], rates: 0 }, lane: "plain" },
  { name: "offers that a page has drawn", entry: { kind: "drawn", visit, offers: [1] }, lane: "plain" },
  { name: "a server's view of an offer that is billed by views", entry: reported({}), lane: "money" },
  { name: "one that names no decision", entry: reported({ standsAlone: true }), lane: "plain" },
  { name: "one that is a test", entry: reported({ visit: tested }), lane: "money" },
  { name: "a server's answer", entry: reported({ type: "served" }), lane: "money" },
  { name: "a server's click, which bills nothing", entry: reported({ type: "click" }), lane: "money" },
  {
    name: "a server's view of any other offer",
    entry: reported({
      offer: { offer: 1, vertical: "games", payoutModel: "CPC", priceMicros: 1, currency: "EUR" },
    }),
    lane: "money",
  },
  {
    name: "refused clicks",
    entry: {
      kind: "clicks_refused",
      cell: { ...cell, currency: "EUR", device: 0 },
      offer: 1,
      placement: null,
      at: morning,
      clicks: 1,
    },
    lane: "plain",
  },
  { name: "a dismissal", entry: { kind: "dismissed", visitor: "v", at: morning }, lane: "plain" },
  { name: "a key's use", entry: { kind: "key_used", keyId: "k", at: morning }, lane: "plain" },
  { name: "a connection's use", entry: { kind: "grant_used", grantId: "g", at: morning }, lane: "plain" },
  {
    name: "refused calls",
    entry: {
      kind: "calls_refused",
      subject: "website:1",
      code: "wrong_public_key",
      detail: "",
      at: morning,
      calls: 1,
    },
    lane: "plain",
  },
  {
    name: "a declined visitor",
    entry: {
      kind: "decline_triggered",
      sessionId: sessionId.parse("dcl_0123456789abcdefghij01"),
      websiteId: 1,
      vertical: "news",
      suppression: null,
      at: morning,
    },
    lane: "plain",
  },
])("$name goes by the lane for $lane", ({ entry, lane }) => {
  expect(laneOf(entry)).toBe(lane);
});
