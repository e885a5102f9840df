import fc from "fast-check";
import { expect, test } from "vitest";
import { addressBits } from "./address-bits.ts";
import { isWithin, networkRange, networkSet } from "./network-set.ts";

const knows = (networks: readonly string[], text: string): boolean => {
  const address = addressBits(text);
  return address !== null && isWithin(networkSet(networks), address);
};

test.each([
  [
    "203.0.113.0/24",
    ["203.0.113.0", "203.0.113.255", "::ffff:203.0.113.9"],
    ["203.0.112.255", "203.0.114.0"],
  ],
  ["203.0.113.77/24", ["203.0.113.0"], ["203.0.114.0"]],
  ["203.0.113.7", ["203.0.113.7"], ["203.0.113.6", "203.0.113.8"]],
  ["0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "2001:db8::1"]],
  ["255.255.255.0/24", ["255.255.255.255"], ["255.255.254.255", "0.0.0.0"]],
  [
    "2001:db8::/32",
    ["2001:db8::", "2001:db8:ffff:ffff::1"],
    ["2001:db7:ffff::", "2001:db9::", "32.1.13.184"],
  ],
  ["2001:db8:0:7::/64", ["2001:db8:0:7::1", "2001:db8:0:7:ffff::"], ["2001:db8:0:6::", "2001:db8:0:8::"]],
  ["2001:db8::1/128", ["2001:db8::1", "2001:db8::2"], ["2001:db8:0:1::1"]],
  ["ffff::/16", ["ffff:ffff:ffff:ffff::1"], ["fffe::"]],
  ["::/0", ["::", "ffff::"], ["0.0.0.0"]],
] as const)("of %s are %j, and not %j", (network, within, without) => {
  for (const address of within) expect(knows([network], address), address).toBe(true);
  for (const address of without) expect(knows([network], address), address).toBe(false);
});

test.each([
  "",
  "203.0.113.0/33",
  "203.0.113.0/",
  "203.0.113.0/-1",
  "203.0.113/24",
  "2001:db8::/129",
  "::ffff:203.0.113.0/120",
  "fe80::%eth0/64",
  "office",
])("%j is no network", (text) => {
  expect(networkRange(text)).toBeNull();
  expect(() => networkSet([text])).toThrow(RangeError);
});

test("without networks nobody is within", () => {
  expect([knows([], "0.0.0.0"), knows([], "::")]).toEqual([false, false]);
});

test("networks within, beside and over each other are found as one by one", () => {
  // Few bits, so that networks meet.
  const v4 = fc.record({ bits: fc.nat(63), length: fc.integer({ min: 26, max: 32 }) });
  const v6 = fc.record({ bits: fc.nat(63), length: fc.integer({ min: 58, max: 66 }) });
  fc.assert(
    fc.property(fc.array(v4, { maxLength: 8 }), fc.array(v6, { maxLength: 8 }), (some4, some6) => {
      const networks = [
        ...some4.map(({ bits, length }) => `10.0.0.${bits}/${length}`),
        ...some6.map(({ bits, length }) => `2001:db8:0:${bits.toString(16)}::/${length}`),
      ];
      for (let at = 0; at < 64; at += 1) {
        for (const address of [`10.0.0.${at}`, `2001:db8:0:${at.toString(16)}::1`]) {
          expect(knows(networks, address)).toBe(networks.some((network) => knows([network], address)));
        }
      }
    }),
    { numRuns: 200 },
  );
});
