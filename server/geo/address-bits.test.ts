import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { expect, test } from "vitest";
import { addressBits } from "./address-bits.ts";

test.each([
  ["0.0.0.0", { version: 4, bits: 0 }],
  ["255.255.255.255", { version: 4, bits: 0xffffffff }],
  ["1.2.3.4", { version: 4, bits: 0x01020304 }],
  ["::ffff:1.2.3.4", { version: 4, bits: 0x01020304 }],
  ["::FFFF:102:304", { version: 4, bits: 0x01020304 }],
  ["::1.2.3.4", { version: 6, high: 0, low: 0 }],
  ["2001:db8::", { version: 6, high: 0x20010db8, low: 0 }],
  ["2001:db8:1:2:3:4:5:6", { version: 6, high: 0x20010db8, low: 0x00010002 }],
  ["fe80::1%eth0", null],
  ["1.2.3", null],
  ["01.2.3.4", null],
  ["1.2.3.4:80", null],
  ["[::1]", null],
  ["", null],
])("%j is read as %j", (text, bits) => {
  expect(addressBits(text)).toEqual(bits);
});

/** The other reader takes `::1.2.3.4`, a form that RFC 4291 has given up, for an IPv4 address. */
const isGivenUp = (text: string): boolean => /^::\d+\./.test(text);

test("every spelling of an address is read as another reader does", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6(),
        fc.ipV4().map((text) => `::ffff:${text}`),
      ),
      (text) => {
        fc.pre(!isGivenUp(text));
        const address = ipaddr.process(text);
        const bytes = Buffer.from(address.toByteArray());
        expect(addressBits(text)).toEqual(
          address.kind() === "ipv4"
            ? { version: 4, bits: bytes.readUInt32BE(0) }
            : { version: 6, high: bytes.readUInt32BE(0), low: bytes.readUInt32BE(4) },
        );
      },
    ),
    { numRuns: 5000 },
  );
});
