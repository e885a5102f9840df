import { expect, test } from "vitest";
import { notedPage } from "./snippet-ping.ts";

const origin = "https://shop-a.example:8443";
const host = "shop-a.example:8443";

test.each([
  ["a page at the origin", `${origin}/news/1`, `${origin}/news/1`],
  ["the origin alone", origin, origin],
  ["no address", undefined, origin],
  ["an address at a stranger's", "https://evil.example/", origin],
  ["an address whose host begins alike", `${origin}9/`, origin],
  ["an address with the origin as a user name", "https://shop-a.example:8443@evil.example/", origin],
  ["an address by plain http", `http://${host}/`, origin],
])("of %s %s the address %s is kept", (_what, url, kept) => {
  expect(notedPage(origin, { url, scriptVersion: "1.2.0" })).toEqual({
    ...{ host, url: kept, scriptVersion: "1.2.0" },
  });
});

test.each([
  ["0.1.0", "0.1.0"],
  ["10.200.3000", "10.200.3000"],
  [undefined, ""],
  ["1.2", ""],
  ["1.2.3.4", ""],
  ["1.2.3-rc.1", ""],
  ["1.2.30000", ""],
  ["evil", ""],
])("the version %s is kept as %s", (scriptVersion, kept) => {
  expect(notedPage(origin, { url: undefined, scriptVersion }).scriptVersion).toBe(kept);
});
