import { BlockList, isIP } from "node:net";

/** Networks whose addresses reach no public service from outside: RFC 1918, 3927, 4193, 4291 and 6890. */
export const privateNetworks: readonly string[] = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
];

/** Whether a text is an address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const { address, version, prefix } = partsOf(text);
  return (
    version !== 0 && !address.includes("%") && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bitsOf(version)
  );
}

/** Whether a network is one of somebody's, or private: of what is wider than any has, most visitors would be in it. */
export function isOwnNetwork(text: string): boolean {
  const { version, prefix } = partsOf(text);
  return isNetwork(text) && (Number(prefix) >= (version === 4 ? 8 : 16) || isPrivate(text));
}

/** Whether a network lies within one of the private ones. */
const isPrivate = (network: string): boolean => {
  const { address, version, prefix } = partsOf(network);
  return privateNetworks.some((text) => {
    const whole = partsOf(text);
    return (
      whole.version === version &&
      Number(prefix) >= Number(whole.prefix) &&
      createAddressList([text])(address)
    );
  });
};

/**
 * Whether an address is in one of the networks; an IPv4 address never is in one of IPv6. For lists of some dozens:
 * each look-up reads all of them.
 * @throws RangeError for an entry that is no network.
 */
export function createAddressList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    if (!isNetwork(network)) throw new RangeError(`no network: ${network}`);
    const { address, version, prefix } = partsOf(network);
    list.addSubnet(address, Number(prefix), version === 4 ? "ipv4" : "ipv6");
  }
  if (networks.length === 0) return () => false;
  return (address) => list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

const partsOf = (text: string): { address: string; version: number; prefix: string } => {
  const slash = text.indexOf("/");
  const address = slash === -1 ? text : text.slice(0, slash);
  const version = isIP(address);
  return { address, version, prefix: slash === -1 ? String(bitsOf(version)) : text.slice(slash + 1) };
};

const bitsOf = (version: number): number => (version === 4 ? 32 : 128);
