import ipaddr from "ipaddr.js";
import { describe, expect, it, vi } from "vitest";
import { seededRandom } from "../core/seeded-random.ts";
import { clientAddress, createClientOf, networkOf, parseAddress } from "./client-address.ts";

const requestFrom = (peer: string | undefined, headers: Record<string, string> = {}) => ({ peer, headers });

const seenBy = (hops: number, forwarded: string | undefined, socket = "192.0.2.1") =>
  clientAddress(requestFrom(socket, forwarded === undefined ? {} : { "x-forwarded-for": forwarded }), hops)
    .address;

/** What a stranger may send, and the address that no number of trusted hops may let it become. */
const forged = [
  "198.51.100.7:",
  "198.51.100.7:0",
  "198.51.100.7:0443",
  "198.51.100.7:65536",
  "198.51.100.7:443:443",
  "198.51.100.7:https",
  "198.51.100.7 :443",
  "198.51.100.07:443",
  ":443",
  "[198.51.100.7]",
  "[198.51.100.7]:443",
  "[2001:db8::1]:",
  "[2001:db8::1]:65536",
  "[2001:db8::1]443",
  "[2001:db8::1",
  "2001:db8::1]",
  "[[2001:db8::1]]",
  "[2001:db8::1%eth0]:443",
  "[2001:db8::1]x",
  "[]:443",
  "[:]",
  "198.51.100.07",
  "0306.063.0144.07",
  "0xC6.0x33.0x64.0x7",
  "3325256711",
  "198.51.25607",
  "198.51.100",
  "198.51.100.7.9",
  "198.51.100.256",
  "-1.2.3.4",
  "198.51.100.7/32",
  "198.51.100.7 198.51.100.8",
  "198.51.100.7;198.51.100.8",
  "for=198.51.100.7",
  "unknown",
  "_hidden",
  "localhost",
  "example.com",
  "2001:db8::1%eth0",
  "fe80::1%25lo",
  "2001:db8::g",
  "2001:db8:::1",
  "2001:db8:1:2:3:4:5:6:7",
  "::ffff:198.51.100.256",
  "::ffff:0xC6.51.100.7",
  "1".repeat(200),
  "١٩٨.٥١.١٠٠.٧",
  "<script>",
  "",
  " ",
];

describe("client address", () => {
  it.each(forged)("takes nothing from the malformed entry %j at any number of hops", (entry) => {
    for (const hops of [0, 1, 2]) expect(seenBy(hops, entry)).toBe("192.0.2.1");
    expect(seenBy(2, `203.0.113.9, ${entry}`)).toBe("192.0.2.1");
    expect(seenBy(2, `${entry}, 203.0.113.9`)).toBe("203.0.113.9");
  });

  it.each([
    ["198.51.100.7", 0, "192.0.2.1"],
    ["198.51.100.7", 1, "198.51.100.7"],
    ["198.51.100.7", 2, "198.51.100.7"],
    ["198.51.100.7, 203.0.113.9", 1, "203.0.113.9"],
    ["198.51.100.7, 203.0.113.9", 2, "198.51.100.7"],
    ["198.51.100.7,203.0.113.9", 2, "198.51.100.7"],
    ["10.0.0.1, 198.51.100.7, 203.0.113.9", 2, "198.51.100.7"],
    ["198.51.100.7, garbage", 2, "192.0.2.1"],
    ["garbage, 203.0.113.9", 2, "203.0.113.9"],
    ["198.51.100.7,", 1, "192.0.2.1"],
    ["2001:DB8:1::0005", 1, "2001:db8:1::5"],
    ["::ffff:198.51.100.7", 1, "198.51.100.7"],
    ["::ffff:c633:6407", 1, "198.51.100.7"],
    ["0:0:0:0:0:FFFF:198.51.100.7", 1, "198.51.100.7"],
    ["81.2.69.142:443", 0, "192.0.2.1"],
    ["81.2.69.142:443", 1, "81.2.69.142"],
    ["81.2.69.142:1", 1, "81.2.69.142"],
    ["81.2.69.142:65535", 1, "81.2.69.142"],
    ["81.2.69.142:443, 203.0.113.9:50001", 2, "81.2.69.142"],
    ["garbage, 203.0.113.9:50001", 2, "203.0.113.9"],
    ["[2001:db8::1]:443", 1, "2001:db8::1"],
    ["[2001:DB8::0001]", 1, "2001:db8::1"],
    ["[::ffff:81.2.69.142]:443", 1, "81.2.69.142"],
    ["2001:db8::1:443", 1, "2001:db8::1:443"],
  ])("counts %j with %i hops from the right: %s", (forwarded, hops, expected) => {
    expect(seenBy(hops, forwarded)).toBe(expected);
  });

  it.each([
    ["198.51.100.7", 1, undefined],
    ["81.2.69.142:443", 1, undefined],
    ["198.51.100.7", 2, undefined],
    [undefined, 1, undefined],
    ["garbage", 0, undefined],
    ["garbage", 1, 1],
    ["198.51.100.7:https", 1, 1],
    ["", 1, 1],
    ["garbage, 203.0.113.9", 1, undefined],
    ["garbage, 203.0.113.9", 2, 2],
    ["198.51.100.7, garbage", 2, 1],
  ])("says of %j at %i hops that the hop is unreadable: %s", (forwarded, hops, unreadable) => {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    expect(clientAddress(requestFrom("192.0.2.1", headers), hops).unreadableHop).toBe(unreadable);
  });

  it("logs an unreadable hop at most once a minute, with the calls since and without what was written", () => {
    vi.useFakeTimers();
    const log = vi.fn();
    const clientOf = createClientOf({ trustProxyHops: 1, log });
    const ask = (forwarded: string) => clientOf(requestFrom("192.0.2.1", { "x-forwarded-for": forwarded }));
    ask("198.51.100.7:443");
    expect(log).not.toHaveBeenCalled();
    for (let calls = 0; calls < 5; calls++) ask("a secret 198.51.100.7");
    vi.advanceTimersByTime(59_999);
    expect(ask("unknown").address).toBe("192.0.2.1");
    expect(log).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(log).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(600_000);
    vi.useRealTimers();
    expect(log.mock.calls.map(([line]) => line)).toEqual([
      { event: "forwarded_for_unreadable", hop: 1, calls: 1 },
      { event: "forwarded_for_unreadable", hop: 1, calls: 5 },
    ]);
    expect(JSON.stringify(log.mock.calls)).not.toMatch(/secret|198|192/);
  });

  it.each([
    ["::ffff:192.0.2.5", "192.0.2.5"],
    ["fe80::1%eth0", "fe80::1"],
    ["::1", "::1"],
  ])("unwraps the socket's own %s to %s", (socket, expected) => {
    expect(seenBy(0, undefined, socket)).toBe(expected);
    expect(seenBy(2, undefined, socket)).toBe(expected);
  });

  it("survives a socket that is already gone", () => {
    expect(clientAddress(requestFrom(undefined), 1).address).toBe("0.0.0.0");
  });

  it.each([
    "x-real-ip",
    "x-client-ip",
    "cf-connecting-ip",
    "true-client-ip",
    "fastly-client-ip",
    "x-cluster-client-ip",
    "x-forwarded",
    "forwarded-for",
    "forwarded",
    "via",
  ])("never reads %s", (header) => {
    for (const hops of [0, 1, 2]) {
      const req = requestFrom("192.0.2.1", { [header]: "198.51.100.7" });
      expect(clientAddress(req, hops).address).toBe("192.0.2.1");
    }
  });

  it("counts a whole IPv6 /64 as one client, and no more than that", () => {
    const prefixOf = (address: string) => clientAddress(requestFrom(address), 0).prefix;
    expect(prefixOf("2001:db8:1:2::1")).toBe(prefixOf("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    expect(prefixOf("2001:db8:1:2::1")).not.toBe(prefixOf("2001:db8:1:3::1"));
    expect(prefixOf("192.0.2.1")).not.toBe(prefixOf("192.0.2.2"));
    expect(prefixOf("::ffff:192.0.2.1")).toBe(prefixOf("192.0.2.1"));
  });
});

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2::1", "2001:db8:1::/48"],
  ["2001:0DB8:0001:ffff:1:2:3:4", "2001:db8:1::/48"],
  ["2001:db8:2:2::1", "2001:db8:2::/48"],
  ["::1", "0:0:0::/48"],
])("the network of %s is %s", (address, network) => {
  const client = parseAddress(address);
  expect(client && networkOf(client)).toBe(network);
});

/** What a library takes for an IPv6 address, and what it writes; but a zone, and a number of four digits, this service never took. */
const byLibrary = (text: string): { address: string; prefix: string } | null => {
  if (text.length > 45 || /%|\.\d{4}/.test(text) || !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) {
    const mapped = address.toIPv4Address().toString();
    return { address: mapped, prefix: mapped };
  }
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return { address: address.toRFC5952String(), prefix: `${network.join(":")}::/64` };
};

/** Spellings of which most are addresses: zeros anywhere and in any number, `::`, capitals, zones, a dotted end, one slip. */
const oddSpelling = (random: () => number): string => {
  const under = (end: number): number => Math.floor(random() * end);
  const often = (share: number): boolean => random() < share;
  const group = (): string => {
    const hex = often(0.5) ? "0" : under(2 ** (4 * (1 + under(4)))).toString(16);
    return hex.padStart(often(0.2) ? 4 : 1, "0");
  };
  const octet = (): string => String(under(258)).padStart(often(0.05) ? 3 : 1, "0");
  const isDotted = often(0.3);
  const most = isDotted ? 6 : 8;
  let groups = Array.from({ length: often(0.1) ? under(10) : most }, group);
  if (often(0.6)) {
    // A gap at either end, or between, for one group or many, or for none at all.
    const from = often(0.3) ? 0 : under(groups.length + 1);
    const to = often(0.3) ? groups.length : from + under(groups.length - from + 1);
    groups = [groups.slice(0, from), groups.slice(to)]
      .map((half) => half.join(":"))
      .join("::")
      .split(":");
  }
  if (isDotted && often(0.5)) groups = often(0.3) ? ["", ""] : ["", "", often(0.5) ? "ffff" : "FFFF"];
  const dotted = isDotted ? Array.from({ length: often(0.95) ? 4 : 3 }, octet).join(".") : null;
  const end = dotted === null ? "" : groups.at(-1) === "" ? dotted : `:${dotted}`;
  let text = `${groups.join(":")}${end}${often(0.03) ? "%eth0" : ""}`;
  if (often(0.3)) text = text.toUpperCase();
  if (often(0.1)) {
    const at = under(text.length + 1);
    text = `${text.slice(0, at)}${[":", "::", "0", "g", ".", " ", ""][under(7)]}${text.slice(at + under(2))}`;
  }
  return text;
};

it("takes and writes IPv6 in any spelling as the library does", () => {
  const random = seededRandom(20_261_129);
  let taken = 0;
  for (let count = 0; count < 100_000; count += 1) {
    const text = oddSpelling(random);
    if (!text.includes(":")) continue;
    const expected = byLibrary(text);
    const found = parseAddress(text);
    if (found?.address !== expected?.address || found?.prefix !== expected?.prefix) {
      expect([text, found]).toEqual([text, expected]);
    }
    if (expected !== null) taken += 1;
  }
  expect(taken).toBeGreaterThan(50_000);
  expect(taken).toBeLessThan(95_000);
});

it("an IPv4 address has every number up to 255 in each of its places, and none above", () => {
  for (let number = 0; number < 300; number += 1) {
    for (let place = 0; place < 4; place += 1) {
      const text = [192, 0, 2, 1].with(place, number).join(".");
      expect(parseAddress(text)?.address ?? null, text).toBe(number < 256 ? text : null);
    }
  }
});
