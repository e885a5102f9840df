import { publisherId, type WebsiteKey, websiteKey } from "@offers/contract/ids";
import { describe, expect, it } from "vitest";
import { permittedWebsites } from "./permitted-websites.ts";
import { sampleCatalogue, sampleWebsite } from "./sample-catalogue.ts";

const own = publisherId.parse("publisher_a");
const journal = sampleWebsite({ id: 1, key: "ws_journal", publisherId: own });
const shop = sampleWebsite({ id: 2, key: "ws_shop", publisherId: own });
const foreign = sampleWebsite({ id: 3, key: "ws_foreign", publisherId: publisherId.parse("publisher_b") });
const catalogue = sampleCatalogue({ websites: [journal, shop, foreign], offers: [] });

type Case = [what: string, websiteId: number | null, named: string | undefined, found: string[] | null];

const cases: Case[] = [
  ["a key of all, naming none, is about all of the publisher's", null, undefined, ["ws_journal", "ws_shop"]],
  ["a key of all, naming one, is about that one", null, "ws_shop", ["ws_shop"]],
  ["a key of one, naming none, is about that one", 2, undefined, ["ws_shop"]],
  ["a key of one, naming it, is about that one", 2, "ws_shop", ["ws_shop"]],
  ["a key of one may not name another of the publisher's", 2, "ws_journal", null],
  ["no key may name another publisher's", null, "ws_foreign", null],
  ["a key of one may not name another publisher's", 2, "ws_foreign", null],
  ["no key may name an unknown one", null, "ws_none", null],
  ["a key of one that is gone is about none", 9, undefined, []],
  ["a key of one that is gone may name none either", 9, "ws_shop", null],
];

describe("the websites of a call with an API key", () => {
  it.each(cases)("%s", (_what, websiteId, named, found) => {
    const key: WebsiteKey | undefined = named === undefined ? undefined : websiteKey.parse(named);
    const websites = permittedWebsites(catalogue, { publisherId: own, websiteId }, key);
    expect(websites?.map((website) => website.key) ?? null).toEqual(found);
  });
});
