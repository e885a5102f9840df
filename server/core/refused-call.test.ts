import { expect, test } from "vitest";
import { refusedCallOf } from "./refused-call.ts";

const site = {
  websiteId: 7,
  origin: "https://a.example",
  pub: undefined,
  isOwnPage: false,
  isKnownPage: false,
};
const long = `https://${"a".repeat(300)}.example`;

test.each([
  [
    "another origin",
    {},
    { subject: "website:7", detail: "https://a.example", code: "origin_not_registered" },
  ],
  ["plain http", { origin: "http://a.example" }, { detail: "http://a.example", code: "insecure_origin" }],
  ["http on this machine", { origin: "http://localhost:3000" }, { code: "origin_not_registered" }],
  [
    "another's public key",
    { isOwnPage: true, pub: "pub_b" },
    { subject: "website:7", detail: "https://a.example pub_b", code: "wrong_public_key" },
  ],
  [
    "a website that is none, from a known page",
    { websiteId: null, isKnownPage: true },
    { subject: "website:0", code: "unknown_website" },
  ],
  ["a website that is none, from anywhere", { websiteId: null }, null],
  ["no origin", { origin: undefined }, { detail: "", code: "origin_not_registered" }],
  ["an opaque origin", { origin: "null" }, { detail: "" }],
  ["an origin with a path", { origin: "https://a.example/b?c=d" }, { detail: "" }],
  ["something else", { origin: "me@a.example" }, { detail: "" }],
  ["an endless origin", { origin: long }, { detail: "" }],
  ["an app's origin", { origin: "capacitor://localhost" }, { detail: "" }],
])("a call refused for %s", (_, given, expected) => {
  const refused = refusedCallOf({ ...site, ...given });
  if (expected === null) expect(refused).toBeNull();
  else expect(refused).toMatchObject(expected);
});
