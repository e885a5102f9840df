import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { networkFilesystem, refuseNetworkFilesystem } from "./network-filesystem.ts";

test.each([
  { type: 0x6969, name: "NFS" },
  { type: 0xff534d42, name: "CIFS" },
  // As statfs gives it where the field is a signed number.
  { type: 0xff534d42 | 0, name: "CIFS" },
  { type: 0x00c36400, name: "CephFS" },
  { type: 0x0bd00bd0, name: "Lustre" },
  { type: 0x5346414f, name: "AFS" },
  { type: 0x6b414653, name: "AFS" },
  { type: 0x65735546, name: null },
  { type: 0xef53, name: null },
  { type: 0x01021994, name: null },
  { type: 0x794c7630, name: null },
])("the type $type stands for $name", ({ type, name }) => {
  expect(networkFilesystem(type)).toBe(name);
});

test("a local directory is not refused, a missing one is named", () => {
  expect(() => refuseNetworkFilesystem(join(tmpdir(), "offers.sqlite"))).not.toThrow();
  expect(() => refuseNetworkFilesystem(join(tmpdir(), "no-such-directory", "offers.sqlite"))).toThrow(
    /no-such-directory/,
  );
});
