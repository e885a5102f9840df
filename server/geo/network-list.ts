import { networkRange } from "./network-set.ts";

/** A list of networks, as CIDR texts, and the day that it is of, `YYYY-MM-DD`. */
export type NetworkList = { date: string; networks: readonly string[] };

/** A list as the service keeps it: one network a line, `#` before what is said beside, and its day in one such line. */
export function readNetworkList(text: string): NetworkList {
  const [, date] = /^# date: (\d{4}-\d\d-\d\d)$/m.exec(text) ?? [];
  if (date === undefined) throw new Error("it says no date");
  return { date, networks: networksOfLines(text) };
}

/** Writes what `readNetworkList` reads. */
export function writeNetworkList({ date, networks }: NetworkList): string {
  return `# date: ${date}\n${networks.map((network) => `${network}\n`).join("")}`;
}

/**
 * The networks of a list as others publish it: JSON of any shape, of which every text that is a network is taken (Amazon,
 * Apple, Bing, DuckDuckGo, Google, Microsoft, Oracle), or lines that begin with one (plain lists, and geofeeds by
 * RFC 8805). Each network once.
 * @throws Error that tells what is wrong with it; also when it holds none at all, or one as wide as only a slip is.
 */
export function publishedNetworks(text: string): string[] {
  const isJson = /^\s*[[{]/.test(text);
  const networks = [...new Set(isJson ? networksOfJson(text) : networksOfLines(text))];
  if (networks.length === 0) throw new Error("it names no network");
  return networks;
}

function networksOfLines(text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const [said = ""] = line.split("#");
    const [network = ""] = said.split(",");
    if (said.trim() === "") return [];
    const reason = whyNot(network.trim());
    if (reason !== null) throw new Error(`line ${index + 1}: ${JSON.stringify(network.trim())} ${reason}`);
    return [network.trim()];
  });
}

function networksOfJson(text: string): string[] {
  const found: string[] = [];
  // Without the byte order mark that some files begin with, which JSON does not know.
  JSON.parse(text.trim(), (_, value: unknown) => {
    // Beside networks there are times, regions and names.
    if (typeof value === "string" && networkRange(value) !== null) found.push(value);
    return null;
  });
  for (const network of found) {
    const reason = whyNot(network);
    if (reason !== null) throw new Error(`${JSON.stringify(network)} ${reason}`);
  }
  return found;
}

/** No one hoster and no engine holds more; `0.0.0.0/0` would leave nobody to count. */
const widest = { 4: 8, 6: 16 } as const;

function whyNot(network: string): string | null {
  const range = networkRange(network);
  if (range === null) return "is no network such as 203.0.113.0/24 or 2001:db8::/32";
  const { version, length } = range;
  return length < widest[version] ? `is wider than /${widest[version]}` : null;
}
