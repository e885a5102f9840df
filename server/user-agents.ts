import { longestUserAgent } from "@offers/contract/words";
import { isbot } from "isbot";
import { browserFamily } from "./core/browser-family.ts";
import { deviceClass, deviceNumber } from "./core/device-class.ts";
import { createRecent } from "./core/recent.ts";

/** What is known of whoever sends a user agent. */
export type KnownAgent = {
  /** A robot, or a program that names itself. */
  isBot: boolean;
  /** As `browserFamily`. */
  browser: number | null;
  /** A `deviceNumber`. */
  device: number;
};
export type UserAgents = (userAgent: string) => KnownAgent;

/** A busy service meets some thousand; all of them are of visitors, so they are kept in memory only. */
const remembered = 2000;

/** What a user agent is known as: robots by isbot's list, browsers by their own names. */
export function createUserAgents(): UserAgents {
  const known = createRecent<string, KnownAgent>(remembered);
  const look = (userAgent: string): KnownAgent => ({
    isBot: isbot(userAgent),
    browser: browserFamily(userAgent),
    device: deviceNumber(deviceClass(userAgent)),
  });
  return (userAgent) => {
    // A stranger is not to fill the memory with them.
    if (userAgent.length > longestUserAgent) return look(userAgent.slice(0, longestUserAgent));
    const before = known.get(userAgent);
    if (before !== undefined) return before;
    const agent = look(userAgent);
    known.set(userAgent, agent);
    return agent;
  };
}
