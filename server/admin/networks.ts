import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type KnownNetwork, knownNetworks } from "@offers/contract/words";
import { dataAgeDays, oldListWarning } from "../core/data-age.ts";
import { createKnownNetworks } from "../geo/known-networks.ts";
import {
  currentNetworkFile,
  type NetworkFiles,
  openNetworkList,
  saveNetworkList,
} from "../geo/network-files.ts";
import { type NetworkList, publishedNetworks } from "../geo/network-list.ts";
import { CannotWrite } from "../replace-file.ts";
import { CatalogueRefusal } from "../store/catalogue/catalogue-refusal.ts";
import { addressesOf, addressesOption } from "./addresses-option.ts";
import type { Command, Noun, Option } from "./command.ts";
import { table } from "./table.ts";
import { unwritten } from "./unwritten.ts";

const whichList: Option = {
  name: "list",
  kind: "choice",
  field: "list",
  choices: knownNetworks,
  required: true,
  help: "datacenter: where programs run; search_engine: where engines read pages from",
};

const status: Command = {
  verb: "status",
  summary: "Tell which lists of networks answer, of which day they are, and how long.",
  options: [],
  examples: ["networks status", "networks status --json"],
  runAlone: async (_, { networkFiles, now }) => described(knownNetworks, networkFiles, now),
};

const check: Command = {
  verb: "check",
  summary: "Tell which list an address is in: clicks and views from there cost nobody anything.",
  options: [addressesOption],
  examples: ["networks check 66.249.66.1 3.8.0.1"],
  runAlone: async (given, { networkFiles }) => {
    const addresses = addressesOf(given);
    const { datacenter, search_engine } = networkFiles;
    const lists = { datacenter: currentList(datacenter), search_engine: currentList(search_engine) };
    const networks = createKnownNetworks(lists);
    const answer = addresses.map((address) => ({ address, list: networks.kindOf(address) }));
    const rows = answer.map(({ address, list }) => [address, list ?? "-"]);
    const notes = Object.values(lists).flatMap(({ refused }) => refused ?? []);
    return { answer, text: table(["ADDRESS", "LIST"], rows), notes };
  },
};

const update: Command = {
  verb: "update",
  summary: "Put other networks in the place of a list's; a running service takes them within two seconds.",
  options: [
    whichList,
    {
      name: "file",
      kind: "text",
      field: "files",
      hint: "F",
      repeatable: true,
      required: true,
      help: "what a hoster or an engine publishes: JSON, a geofeed, or a network a line; all files together are the list, and none empties it",
    },
  ],
  examples: [
    "networks update --list datacenter --file ip-ranges.json --file cloud.json",
    "networks update --list search_engine --file googlebot.json --file bingbot.json",
  ],
  runAlone: async (given, { networkFiles, now }) => {
    const kind = given.list as KnownNetwork;
    const files = given.files as readonly string[];
    const published = files.length === 1 && files[0] === "none" ? [] : files.flatMap(readPublished);
    const date = new Date(now).toISOString().slice(0, 10);
    try {
      saveNetworkList(networkFiles[kind], { date, networks: [...new Set(published)] });
    } catch (error) {
      throw error instanceof CannotWrite ? unwritten(error) : error;
    }
    return described([kind], networkFiles, now);
  },
};

export const networksNoun: Noun = {
  name: "networks",
  summary: "The lists of networks that no visitor sits in.",
  commands: [status, check, update],
};

function readPublished(name: string): string[] {
  const file = resolve(name);
  try {
    return publishedNetworks(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${file} cannot be used, and nothing was changed: ${reason}`;
    throw new CatalogueRefusal([{ field: "files", message }]);
  }
}

type CurrentList = NetworkList & {
  file: string;
  /** What is wrong with the updated list, which cannot be used; null: nothing. */
  refused: string | null;
};

/** As a service does that starts: what it comes with, where an updated list cannot be used. */
function currentList(file: NetworkFiles[KnownNetwork]): CurrentList {
  const current = currentNetworkFile(file);
  try {
    return { file: current, ...openNetworkList(current), refused: null };
  } catch (error) {
    if (current === file.bundled) throw error;
    const reason = error instanceof Error ? `${error.message}.` : String(error);
    const refused = `${reason} A running service goes on with the list that it had, and one that starts takes the one that it comes with.`;
    return { file: file.bundled, ...openNetworkList(file.bundled), refused };
  }
}

function described(
  kinds: readonly KnownNetwork[],
  files: NetworkFiles,
  now: number,
): { answer: object; text: string; notes: readonly string[] } {
  const answer = kinds.map((list) => {
    const { file, date, networks, refused } = currentList(files[list]);
    const warning = refused ?? oldListWarning({ kind: list, date }, now);
    return { list, date, ageDays: dataAgeDays(date, now), networks: networks.length, file, warning };
  });
  const rows = answer.map(({ list, date, ageDays, networks, file }) => [
    list,
    date,
    `${ageDays} days`,
    String(networks),
    file,
  ]);
  return {
    answer,
    text: table(["LIST", "OF", "AGE", "NETWORKS", "FILE"], rows),
    notes: answer.flatMap(({ warning }) => warning ?? []),
  };
}
