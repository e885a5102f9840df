import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { realFile } from "./real-file.ts";

/**
 * Magic numbers of statfs(2): on these, file locks and the shared memory of WAL do not hold. FUSE and 9p are none of
 * them (decisions.md#network-file-systems).
 */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "CIFS"],
  [0x00c36400, "CephFS"],
  [0x0bd00bd0, "Lustre"],
  // OpenAFS, and the kernel's own.
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
]);

/** The name of the network filesystem that a statfs type stands for, or null. */
export function networkFilesystem(type: number): string | null {
  return networkTypes.get(type >>> 0) ?? null;
}

/** Throws when `file` would lie on a network filesystem, where SQLite cannot keep what it promises. */
export function refuseNetworkFilesystem(file: string): void {
  const name = networkFilesystem(statfsSync(dirname(realFile(file))).type);
  if (name === null) return;
  throw new Error(
    `${file} lies on a network filesystem (${name}): the database needs a local disk, for file locks do not hold there`,
  );
}
