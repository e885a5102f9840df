import { publisherId, type WebsiteKey, websiteKey } from "@offers/contract/ids";
import { describe, expect, it } from "vitest";
import type { Website } from "./catalogue.ts";
import { permittedWebsites, reportedWebsites } from "./permitted-websites.ts";
import { sampleCatalogue, sampleWebsite } from "./sample-catalogue.ts";

const own = publisherId.parse("publisher_a");
const journal = sampleWebsite({ id: 1, key: "ws_journal", publisherId: own });
const shop = sampleWebsite({ id: 2, key: "ws_shop", publisherId: own });
const foreign = sampleWebsite({ id: 3, key: "ws_foreign", publisherId: publisherId.parse("publisher_b") });
const gone: Pick<Website, "archived" | "origins"> = { archived: true, origins: [] };
const blog = sampleWebsite({ id: 4, key: "ws_blog", publisherId: own, ...gone });
const foreignGone = sampleWebsite({ id: 5, key: "ws_gone", publisherId: foreign.publisherId, ...gone });
const websites = [journal, shop, foreign, blog, foreignGone];
const catalogue = sampleCatalogue({ websites, offers: [] });

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

const reported: Case[] = [
  ["a key of all hears of the deleted too", null, undefined, ["ws_journal", "ws_shop", "ws_blog"]],
  ["and may name one", null, "ws_blog", ["ws_blog"]],
  ["or one that stands", null, "ws_shop", ["ws_shop"]],
  ["a key of one hears of that one alone", 2, undefined, ["ws_shop"]],
  ["and may not name a deleted one", 2, "ws_blog", null],
  ["nor another that stands", 2, "ws_journal", null],
  ["a key of a deleted one hears of it", 4, undefined, ["ws_blog"]],
  ["and may name it", 4, "ws_blog", ["ws_blog"]],
  ["but none that stands", 4, "ws_shop", null],
  ["nobody hears of another publisher's deleted ones", null, "ws_gone", null],
];

describe.each([
  ["the websites of a call with an API key", permittedWebsites, cases],
  ["those of which it is told what has happened", reportedWebsites, reported],
] as const)("%s", (_, ask, asked) => {
  it.each(asked)("%s", (_what, websiteId, named, found) => {
    const key: WebsiteKey | undefined = named === undefined ? undefined : websiteKey.parse(named);
    const told = ask(catalogue, { publisherId: own, websiteId }, key);
    expect(told?.map((website) => website.key) ?? null).toEqual(found);
  });
});
