const loopbackV4 = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/**
 * Whether a host can only mean the machine itself, so that plain http to it crosses no network.
 * `hostname`: as the URL parser serialises it (lower case, IPv6 in brackets), without a port.
 * RFC 6761 section 6.3 keeps `localhost` and all names below it on the machine.
 */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    loopbackV4.test(hostname)
  );
}
