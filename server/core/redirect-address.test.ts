import { describe, expect, it } from "vitest";
import { redirectAddressProblem } from "./redirect-address.ts";

describe("a redirect address", () => {
  it.each([
    "https://partner.example/callback",
    "https://partner.example/",
    `https://partner.example/${"a".repeat(2024)}`,
    "https://partner.example:8443/callback?tenant=1",
    "http://127.0.0.1:9000/callback",
    "http://localhost:9000/callback",
    "http://[::1]/callback",
    "http://app.localhost/callback",
  ])("of a web application may be %s", (text) => {
    expect(redirectAddressProblem(text, "web")).toBeNull();
  });

  it.each(["http://127.0.0.1/callback", "http://[::1]:1234/callback", "https://partner.example/callback"])(
    "of a native application may be %s",
    (text) => expect(redirectAddressProblem(text, "native")).toBeNull(),
  );

  it.each([
    ["plain http elsewhere", "http://partner.example/callback", "must begin with https://"],
    ["a host that only looks like a loopback one", "http://127.0.0.1.partner.example/", "must begin with"],
    ["another scheme", "javascript:alert(1)", "must begin with https://"],
    ["a data address", "data:text/html,x", "must begin with https://"],
    ["a fragment", "https://partner.example/callback#x", "must have no fragment"],
    ["an empty fragment", "https://partner.example/callback#", "must have no fragment"],
    ["a user name", "https://a@partner.example/callback", "must hold no user name"],
    ["a password alone", "https://:b@partner.example/callback", "must hold no user name"],
    ["both", "https://a:b@partner.example/callback", "must hold no user name"],
    ["a pattern", "https://*.partner.example/callback", "there are no patterns"],
    ["a path", "/callback", "must be a whole address"],
    ["nothing", "", "must be a whole address"],
    ["a host in capitals", "https://Partner.example/callback", "https://partner.example/callback"],
    ["no path", "https://partner.example", "https://partner.example/"],
    ["steps upwards", "https://partner.example/a/../callback", "https://partner.example/callback"],
    ["a space around it", " https://partner.example/callback", "https://partner.example/callback"],
    ["too many bytes", `https://partner.example/${"a".repeat(2048)}`, "at most 2048 bytes"],
  ])("with %s is refused", (_, text, why) => {
    expect(redirectAddressProblem(text, "web")).toContain(why);
  });

  it.each([
    ["https on a loopback host", "https://localhost/callback", "http:// on a loopback host"],
    ["a name below localhost", "http://app.localhost/callback", "must be on 127.0.0.1"],
  ])("of a native application with %s is refused", (_, text, why) => {
    expect(redirectAddressProblem(text, "native")).toContain(why);
  });
});
