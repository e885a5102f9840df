import { type KnownNetwork, knownNetworks } from "@offers/contract/words";
import { addressBits } from "./address-bits.ts";
import type { NetworkList } from "./network-list.ts";
import { isWithin, networkSet } from "./network-set.ts";

/** What is known of networks, whoever their addresses are given to: that nobody sits there. */
export type KnownNetworks = {
  /** What an address belongs to, a search engine before the data centre that it may stand in; null: anybody's. */
  kindOf(address: string): KnownNetwork | null;
  /** Every list, and the day that it is of, `YYYY-MM-DD`. */
  lists(): readonly { kind: KnownNetwork; date: string }[];
};

/** Answers by one list of each kind. A text that is no address is in none. */
export function createKnownNetworks(lists: Record<KnownNetwork, NetworkList>): KnownNetworks {
  const engines = networkSet(lists.search_engine.networks);
  const dataCentres = networkSet(lists.datacenter.networks);
  const dated = knownNetworks.map((kind) => ({ kind, date: lists[kind].date }));
  return {
    kindOf: (text) => {
      const address = addressBits(text);
      if (address === null) return null;
      if (isWithin(engines, address)) return "search_engine";
      return isWithin(dataCentres, address) ? "datacenter" : null;
    },
    lists: () => dated,
  };
}
