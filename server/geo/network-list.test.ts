import { describe, expect, it } from "vitest";
import { publishedNetworks, readNetworkList, writeNetworkList } from "./network-list.ts";

describe("what hosters and engines publish", () => {
  it.each([
    [
      "Google, Bing, Apple and DuckDuckGo",
      '{"creationTime":"2026-06-09T14:46:11.000000","prefixes":[{"ipv6Prefix":"2001:db8:10::/64"},{"ipv4Prefix":"203.0.113.64/27"}]}',
      ["2001:db8:10::/64", "203.0.113.64/27"],
    ],
    [
      "Amazon",
      `{"syncToken":"1769000000","createDate":"2026-01-21-12-53-20",
        "prefixes":[{"ip_prefix":"203.0.113.0/24","region":"eu-west-1","service":"EC2"},{"ip_prefix":"203.0.113.0/24","service":"AMAZON"}],
        "ipv6_prefixes":[{"ipv6_prefix":"2001:db8::/32","region":"eu-west-1"}]}`,
      ["203.0.113.0/24", "2001:db8::/32"],
    ],
    [
      "Microsoft",
      '{"changeNumber":1,"values":[{"name":"AzureCloud","properties":{"addressPrefixes":["203.0.113.0/25","2001:db8::/48"]}}]}',
      ["203.0.113.0/25", "2001:db8::/48"],
    ],
    ["Oracle", '{"regions":[{"cidrs":[{"cidr":"203.0.113.128/25","tags":["OCI"]}]}]}', ["203.0.113.128/25"]],
    [
      "a geofeed",
      "# DigitalOcean\n203.0.113.0/24,NL,NL-NH,Amsterdam,1105\r\n\n2001:db8::/32,US,US-NY,New York,\n",
      ["203.0.113.0/24", "2001:db8::/32"],
    ],
    ["JSON behind a byte order mark", '\ufeff{"prefixes":["203.0.113.0/24"]}\n', ["203.0.113.0/24"]],
    ["a plain list behind one", "\ufeff203.0.113.0/24\n", ["203.0.113.0/24"]],
    ["a plain list", "203.0.113.7 # one\n  203.0.113.0/28\n203.0.113.7", ["203.0.113.7", "203.0.113.0/28"]],
  ])("is read as %s write it", (_, text, networks) => {
    expect(publishedNetworks(text)).toEqual(networks);
  });

  it.each([
    ["an empty file", "", /names no network/],
    ["remarks alone", "# nothing\n", /names no network/],
    ["JSON without any", '{"prefixes":[]}', /names no network/],
    ["a page of an error", "<!doctype html>", /line 1: "<!doctype html>" is no network/],
    ["half of a download", '{"prefixes":[{"ipv4Pre', /JSON/],
    ["a slip in a line", "203.0.113.0/24\n203.0.113.0/33", /line 2: "203\.0\.113\.0\/33" is no network/],
    ["everybody", "0.0.0.0/0", /line 1: "0\.0\.0\.0\/0" is wider than \/8/],
    ["everybody over IPv6", '["2000::/3"]', /"2000::\/3" is wider than \/16/],
  ])("is refused as %s", (_, text, message) => {
    expect(() => publishedNetworks(text)).toThrow(message);
  });
});

describe("a list as it is kept", () => {
  it("is read as it was written, an empty one too", () => {
    for (const networks of [["203.0.113.0/24", "2001:db8::/32"], []]) {
      const list = { date: "2026-11-20", networks };
      expect(readNetworkList(writeNetworkList(list))).toEqual(list);
    }
  });

  it.each([
    ["203.0.113.0/24\n", /says no date/],
    ["# date: 2026-11-20\n203.0.113.0/24\nnonsense\n", /line 3: "nonsense" is no network/],
  ])("is not read as %j", (text, message) => {
    expect(() => readNetworkList(text)).toThrow(message);
  });
});
