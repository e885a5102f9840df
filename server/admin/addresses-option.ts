import { isIP } from "node:net";
import { type Given, type Option, UsageError } from "./command.ts";

/** The addresses that a command is asked about. */
export const addressesOption: Option = {
  name: "address",
  kind: "text",
  field: "addresses",
  hint: "ADDRESS",
  repeatable: true,
  positional: true,
  required: true,
  help: "an address of IPv4 or IPv6",
};

/**
 * The addresses that were given.
 * @throws UsageError that names those that are none.
 */
export function addressesOf(given: Given): readonly string[] {
  const addresses = given.addresses as readonly string[];
  const unread = addresses.filter((address) => isIP(address) === 0);
  if (unread.length === 0) return addresses;
  throw new UsageError(unread.map((text) => `${JSON.stringify(text)} is no address of IPv4 or IPv6`));
}
