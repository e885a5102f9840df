import { expect, test } from "vitest";
import { refusedCallOf } from "./refused-call.ts";

const site = { websiteId: 7, origin: "https://a.example", isOwnPage: false, isKnownPage: false };
const long = `https://${"a".repeat(300)}.example`;

test.each([
  ["another origin", {}, { websiteId: 7, origin: "https://a.example", code: "origin_not_registered" }],
  ["plain http", { origin: "http://a.example" }, { origin: "http://a.example", code: "insecure_origin" }],
  ["http on this machine", { origin: "http://localhost:3000" }, { code: "origin_not_registered" }],
  ["another's public key", { isOwnPage: true }, { websiteId: 7, code: "wrong_public_key" }],
  [
    "a website that is none, from a known page",
    { websiteId: null, isKnownPage: true },
    { websiteId: 0, code: "unknown_website" },
  ],
  ["a website that is none, from anywhere", { websiteId: null }, null],
  ["no origin", { origin: undefined }, { origin: "", code: "origin_not_registered" }],
  ["an opaque origin", { origin: "null" }, { origin: "" }],
  ["an origin with a path", { origin: "https://a.example/b?c=d" }, { origin: "" }],
  ["something else", { origin: "me@a.example" }, { origin: "" }],
  ["an endless origin", { origin: long }, { origin: "" }],
  ["an app's origin", { origin: "capacitor://localhost" }, { origin: "" }],
])("a call refused for %s", (_, given, expected) => {
  const refused = refusedCallOf({ ...site, ...given });
  if (expected === null) expect(refused).toBeNull();
  else expect(refused).toMatchObject(expected);
});
