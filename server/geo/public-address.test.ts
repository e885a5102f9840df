import { expect, test } from "vitest";
import { publicAddress } from "./public-address.ts";

test.each([
  ["8.8.8.8", "8.8.8.8"],
  ["::ffff:8.8.8.8", "8.8.8.8"],
  ["::FFFF:808:808", "8.8.8.8"],
  ["2001:4860:4860:0:0:0:0:8888", "2001:4860:4860::8888"],
])("%s is the public address %s", (text, address) => {
  expect(publicAddress(text)).toBe(address);
});

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.1.1",
  "172.31.0.1",
  "192.168.1.1",
  "203.0.113.1",
  "224.0.0.1",
  "255.255.255.255",
  "::ffff:10.1.2.3",
  "::",
  "::1",
  "fd00::1",
  "fe80::1",
  "ff02::1",
  "2001:db8::1",
  "2001:4860:4860::8888%eth0",
  "8.8.8",
  "08.8.8.8",
  "134744072",
  "garbage",
  "",
])("%j is none", (text) => {
  expect(publicAddress(text)).toBeNull();
});
