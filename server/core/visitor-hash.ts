import { createKeyedHash, type KeyedHash } from "./keyed-hash.ts";

/** 128 bits: two visitors of one day do not meet in it. */
const hashBytes = 16;

/** A day's salt, ready for `visitorHash`. */
export type SaltKey = KeyedHash;

/**
 * A visitor's name for one UTC day on one website, 22 characters of base64url; without the day's salt it can be
 * neither repeated nor turned back.
 * @param args.saltKey from `saltKeyOf`.
 * @param args.addressPrefix the IPv4 address or the IPv6 /64; it holds no line break.
 */
export function visitorHash(args: {
  saltKey: SaltKey;
  websiteId: number;
  addressPrefix: string;
  userAgent: string;
}): string {
  return args
    .saltKey(`${args.websiteId}\n${args.addressPrefix}\n${args.userAgent}`)
    .toString("base64url", 0, hashBytes);
}

/**
 * A network's name for one UTC day and one offer, of the same form. It holds nothing of the visitor's browser and
 * website, so whoever changes those is still known by it; no event is stored with it.
 * @param args.network the IPv4 address or the IPv6 /48; it holds no line break.
 * @param args.offer the offer's number.
 */
export function networkHash(args: { saltKey: SaltKey; network: string; offer: number }): string {
  return args.saltKey(`network\n${args.network}\n${args.offer}`).toString("base64url", 0, hashBytes);
}

/** Makes a day's salt ready for `visitorHash` and `networkHash`; to be done once a day, for it costs more than a hash does. */
export function saltKeyOf(salt: string): SaltKey {
  return createKeyedHash(Buffer.from(salt, "utf8"));
}
