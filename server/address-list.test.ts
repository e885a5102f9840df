import { expect, test } from "vitest";
import { createAddressList, isNetwork, isOwnNetwork, privateNetworks } from "./address-list.ts";

test.each([
  ["203.0.113.7", true],
  ["203.0.113.0/24", true],
  ["2001:db8::1", true],
  ["2001:db8::/32", true],
  ["0.0.0.0/0", true],
  ["203.0.113.0/33", false],
  ["2001:db8::/129", false],
  ["203.0.113.0/", false],
  ["203.0.113.0/-1", false],
  ["203.0.113", false],
  ["fe80::1%eth0", false],
  ["office", false],
  ["", false],
])("%s is a network: %s", (text, expected) => {
  expect(isNetwork(text)).toBe(expected);
  if (!expected) expect(() => createAddressList([text])).toThrow(RangeError);
});

test.each([
  ["203.0.113.7", true],
  ["203.0.113.8", false],
  ["198.51.100.200", true],
  ["2001:db8:1::ffff", true],
  ["2001:db8:2::1", false],
])("%s is in the list: %s", (address, expected) => {
  const isListed = createAddressList(["203.0.113.7", "198.51.100.0/24", "2001:db8:1::/48"]);
  expect(isListed(address)).toBe(expected);
});

test.each<readonly [text: string, expected: boolean]>([
  ...privateNetworks.map((text) => [text, true] as const),
  ["fc00::/8", true],
  ["fd00::/8", true],
  ["febf::/12", true],
  ["203.0.0.0/8", true],
  ["2001::/16", true],
  ["fc00::/6", false],
  ["fe80::/9", false],
  ["10.0.0.0/7", false],
  ["::ffff:10.0.0.0/12", false],
  ["2001::/15", false],
  ["office", false],
])("%s may be somebody's own network: %s", (text, expected) => {
  expect(isOwnNetwork(text)).toBe(expected);
});

test("an empty list holds nobody", () => {
  expect(createAddressList([])("127.0.0.1")).toBe(false);
});

test.each(["127.0.0.1", "::1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.9.9", "fd00::1", "fe80::1"])(
  "%s is private",
  (address) => {
    expect(createAddressList(privateNetworks)(address)).toBe(true);
  },
);

test.each(["172.32.0.1", "100.64.0.1", "203.0.113.7", "2001:db8::1", "2a00::1"])("%s is not", (address) => {
  expect(createAddressList(privateNetworks)(address)).toBe(false);
});

test.each([
  ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["::1", "::1", "::", "::2"],
  ["fc00::", "fdff:ffff::", "fbff:ffff::", "fe00::"],
  ["fe80::", "febf:ffff::", "fe7f:ffff::", "fec0::"],
])("from %s to %s is private, and neither %s nor %s", (first, last, before, after) => {
  const isListed = createAddressList(privateNetworks);
  expect([first, last, before, after].map(isListed)).toEqual([true, true, false, false]);
});
