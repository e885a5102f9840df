import { type KnownNetwork, knownNetworks } from "@offers/contract/words";
import { fileIdentity } from "./file-identity.ts";
import { createKnownNetworks, type KnownNetworks } from "./known-networks.ts";
import { currentNetworkFile, type NetworkFiles, openNetworkList } from "./network-files.ts";
import type { NetworkList } from "./network-list.ts";

/** Lists of networks that are replaced while the service answers. */
export type LiveNetworks = KnownNetworks & {
  /** Looks whether there are other lists, and loads them. Called by a timer; a test calls it itself. */
  look: () => void;
  stop: () => void;
};

export type LiveNetworksArgs = {
  files: NetworkFiles;
  /** The list of this file answers from now on. */
  onLoaded: (file: string, kind: KnownNetwork, list: NetworkList) => void;
  /** This file cannot be used; the list before it goes on answering. */
  onRefused: (file: string, reason: string) => void;
  /** Milliseconds between two looks. */
  everyMs?: number;
};

/**
 * Opens the lists of networks and looks every two seconds whether one was replaced. A list that cannot be used leaves the
 * list before it.
 * @throws Error when not even a list that the service comes with can be used.
 */
export function openLiveNetworks(args: LiveNetworksArgs): LiveNetworks {
  const { files, onLoaded, onRefused, everyMs = 2000 } = args;
  const open = (file: string, kind: KnownNetwork): NetworkList => {
    const list = openNetworkList(file);
    onLoaded(file, kind, list);
    return list;
  };
  const seen = new Map<KnownNetwork, string>();
  /** Undefined: its file cannot be used. */
  const openCurrent = (kind: KnownNetwork): NetworkList | undefined => {
    const { is, trouble } = fileIdentity(files[kind].updated);
    seen.set(kind, is);
    if (trouble !== null) {
      onRefused(files[kind].updated, trouble);
      return undefined;
    }
    const file = currentNetworkFile(files[kind]);
    try {
      return open(file, kind);
    } catch (error) {
      if (file === files[kind].bundled) throw error;
      onRefused(file, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const first = (kind: KnownNetwork): NetworkList => openCurrent(kind) ?? open(files[kind].bundled, kind);
  const lists = { datacenter: first("datacenter"), search_engine: first("search_engine") };
  let current = createKnownNetworks(lists);
  const look = (): void => {
    for (const kind of knownNetworks) {
      if (fileIdentity(files[kind].updated).is === seen.get(kind)) continue;
      lists[kind] = openCurrent(kind) ?? lists[kind];
      current = createKnownNetworks(lists);
    }
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    kindOf: (address) => current.kindOf(address),
    lists: () => current.lists(),
    look,
    stop: () => clearInterval(timer),
  };
}
