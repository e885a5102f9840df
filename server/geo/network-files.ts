import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { KnownNetwork } from "@offers/contract/words";
import { replaceFile } from "../replace-file.ts";
import { type NetworkList, readNetworkList, writeNetworkList } from "./network-list.ts";

/** Where a list of networks may be: what the service comes with, and what `admin networks update` writes. */
export type NetworkFile = { bundled: string; updated: string };
export type NetworkFiles = Record<KnownNetwork, NetworkFile>;

export function networkFilesOf({ dataDir }: { dataDir: string }): NetworkFiles {
  const fileOf = (kind: KnownNetwork): NetworkFile => ({
    bundled: fileURLToPath(new URL(`./networks/${kind}.txt`, import.meta.url)),
    updated: join(dataDir, "networks", `${kind}.txt`),
  });
  return { datacenter: fileOf("datacenter"), search_engine: fileOf("search_engine") };
}

/** The file that every process of a service goes by: what an update wrote, else what the service comes with. */
export function currentNetworkFile({ bundled, updated }: NetworkFile): string {
  return existsSync(updated) ? updated : bundled;
}

/**
 * Reads a list.
 * @throws Error when the file cannot be read or is no list, with what to do about it.
 */
export function openNetworkList(file: string): NetworkList {
  try {
    return readNetworkList(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the list of networks in ${file} cannot be used: ${reason}. \`admin networks update\` writes it anew`,
    );
  }
}

/**
 * Writes the updated list whole: whoever reads it meanwhile reads the one before.
 * @throws CannotWrite when it cannot be written.
 */
export function saveNetworkList({ updated }: NetworkFile, list: NetworkList): void {
  replaceFile(updated, writeNetworkList(list), { makesDirectory: true });
}
