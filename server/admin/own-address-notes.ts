import { isLoopbackHost } from "../core/loopback-host.ts";
import type { CommandContext } from "./command.ts";

/**
 * What to say besides of a tag or link that is printed for others: without BASE_URL, which a shell may lack though the service
 * has it, its address may be one of this machine.
 */
export function ownAddressNotes({ baseUrl, isBaseUrlSet }: CommandContext["service"]): readonly string[] {
  return isBaseUrlSet || !isLoopbackHost(new URL(baseUrl).hostname)
    ? []
    : [`BASE_URL is not set: ${baseUrl} is reached from this machine alone`];
}
