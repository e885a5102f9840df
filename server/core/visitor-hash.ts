import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** 128 bits: two visitors of one day do not meet in it. */
const hashBytes = 16;

/**
 * A visitor's name for one UTC day on one website, 22 characters of base64url; without the day's salt it can be
 * neither repeated nor turned back.
 * @param args.saltKey from `saltKeyOf`.
 * @param args.addressPrefix the IPv4 address or the IPv6 /64; it holds no line break.
 */
export function visitorHash(args: {
  saltKey: KeyObject;
  websiteId: number;
  addressPrefix: string;
  userAgent: string;
}): string {
  return createHmac("sha256", args.saltKey)
    .update(`${args.websiteId}\n${args.addressPrefix}\n${args.userAgent}`)
    .digest()
    .toString("base64url", 0, hashBytes);
}

/** Makes a day's salt ready for `visitorHash`; importing a key at each call would double the hash's cost. */
export function saltKeyOf(salt: string): KeyObject {
  return createSecretKey(salt, "utf8");
}
