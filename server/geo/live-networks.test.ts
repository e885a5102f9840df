import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createKnownNetworks } from "./known-networks.ts";
import { type LiveNetworks, openLiveNetworks } from "./live-networks.ts";
import { networkFilesOf, openNetworkList, saveNetworkList } from "./network-files.ts";

const opened: { networks: LiveNetworks; folder: string }[] = [];
afterEach(() => {
  for (const { networks, folder } of opened.splice(0)) {
    networks.stop();
    rmSync(folder, { recursive: true });
  }
});

const start = (before: (file: string) => void = () => undefined) => {
  const folder = mkdtempSync(join(tmpdir(), "live-networks-"));
  const files = networkFilesOf({ dataDir: folder });
  before(files.datacenter.updated);
  const events: string[] = [];
  const networks = openLiveNetworks({
    files,
    everyMs: 1_000_000,
    onLoaded: (file, kind, { date }) =>
      events.push(`${kind} of ${date}${file.startsWith(folder) ? "" : ", own"}`),
    onRefused: (_, reason) => events.push(`refused: ${reason.replaceAll(folder, "")}`),
  });
  opened.push({ networks, folder });
  return { networks, files, events };
};

const list = (date: string, ...networks: string[]) => ({ date, networks });

test("the service's own lists know engines and data centres, and nobody else", () => {
  const { networks, events } = start();
  for (const address of ["66.249.66.1", "2001:4860:4801:10::1", "157.55.39.1", "207.46.13.9", "17.241.75.5"])
    expect([address, networks.kindOf(address)]).toEqual([address, "search_engine"]);
  for (const address of [
    "3.8.0.1",
    "34.65.0.1",
    "52.160.0.1",
    "159.65.0.1",
    "95.216.1.1",
    "51.38.1.1",
    "2a01:4f8::1",
  ])
    expect([address, networks.kindOf(address)]).toEqual([address, "datacenter"]);
  const people = [
    // This machine, private networks, and those of documentation and tests.
    ...["127.0.0.1", "::1", "10.0.0.1", "192.168.1.1", "fc00::1", "192.0.2.7", "198.51.100.7", "203.0.113.7"],
    ...["2001:db8::1"],
    // Lines of carriers and homes: Telekom, Comcast, T-Mobile US, BT, Orange, OVH's own over IPv6.
    ...[
      "80.128.0.1",
      "2003:d0::1",
      "73.0.0.1",
      "2607:fb91:1::1",
      "81.2.69.160",
      "90.0.0.1",
      "2001:41d0:fc00::1",
    ],
    // Exits of Cloudflare WARP, of iCloud Private Relay at three makers, and Google's own network.
    ...[
      "104.28.0.1",
      "2a09:bac0::1",
      "172.224.224.1",
      "146.75.128.1",
      "104.28.128.1",
      "66.249.80.1",
      "8.8.8.8",
    ],
  ];
  for (const address of people) expect([address, networks.kindOf(address)]).toEqual([address, null]);
  expect(networks.kindOf("nobody")).toBeNull();
  expect(events).toEqual(["datacenter of 2026-08-22, own", "search_engine of 2026-02-11, own"]);
});

test("an engine's address in a data centre is the engine's", () => {
  const networks = createKnownNetworks({
    datacenter: list("2026-11-20", "203.0.113.0/24"),
    search_engine: list("2026-11-19", "203.0.113.64/27"),
  });
  expect(["203.0.113.63", "203.0.113.64", "203.0.113.96"].map(networks.kindOf)).toEqual([
    "datacenter",
    "search_engine",
    "datacenter",
  ]);
  expect(networks.lists()).toEqual([
    { kind: "datacenter", date: "2026-11-20" },
    { kind: "search_engine", date: "2026-11-19" },
  ]);
});

test("an update takes a list's place while the service answers, and leaves it when it is deleted", () => {
  const { networks, files, events } = start();
  events.length = 0;
  networks.look();
  expect(events).toEqual([]);
  saveNetworkList(files.datacenter, list("2026-11-20", "203.0.113.0/24"));
  networks.look();
  expect(["203.0.113.7", "3.8.0.1", "66.249.66.1"].map(networks.kindOf)).toEqual([
    "datacenter",
    null,
    "search_engine",
  ]);
  rmSync(files.datacenter.updated);
  networks.look();
  expect(["203.0.113.7", "3.8.0.1"].map(networks.kindOf)).toEqual([null, "datacenter"]);
  expect(events).toEqual(["datacenter of 2026-11-20", "datacenter of 2026-08-22, own"]);
});

test("a list that cannot be used leaves the one before it, and is told once", () => {
  const { networks, files, events } = start();
  saveNetworkList(files.search_engine, list("2026-11-20", "203.0.113.0/24"));
  networks.look();
  events.length = 0;
  writeFileSync(files.search_engine.updated, "nonsense");
  networks.look();
  networks.look();
  expect(networks.kindOf("203.0.113.7")).toBe("search_engine");
  expect(events).toHaveLength(1);
  expect(events[0]).toMatch(/refused: .*search_engine\.txt cannot be used: it says no date/);
  saveNetworkList(files.search_engine, list("2026-11-21", "203.0.113.128/25"));
  utimesSync(files.search_engine.updated, 1, 1);
  networks.look();
  expect(networks.kindOf("203.0.113.7")).toBeNull();
});

test("a service starts with its own list where the updated one cannot be used", () => {
  const { networks, events } = start((file) => {
    mkdirSync(dirname(file));
    writeFileSync(file, "# date: 2026-11-20\nnonsense\n");
  });
  expect(networks.kindOf("3.8.0.1")).toBe("datacenter");
  expect(events[0]).toMatch(/^refused: .*line 2: "nonsense" is no network/);
  expect(events[1]).toBe("datacenter of 2026-08-22, own");
});

test("the service's own lists are small", () => {
  const files = networkFilesOf({ dataDir: "/nowhere" });
  expect(openNetworkList(files.datacenter.bundled).networks.length).toBeLessThan(1000);
  expect(openNetworkList(files.search_engine.bundled).networks.length).toBeLessThan(100);
});

test("a list that the system does not let be looked at is named once, and the one before goes on answering", () => {
  const { networks, files, events } = start();
  saveNetworkList(files.datacenter, list("2026-11-20", "203.0.113.0/24"));
  networks.look();
  expect(networks.kindOf("203.0.113.7")).toBe("datacenter");
  const updated = files.datacenter.updated;
  rmSync(updated);
  // A link to itself, which is refused to root as well.
  symlinkSync(updated, updated);
  networks.look();
  networks.look();
  expect(networks.kindOf("203.0.113.7")).toBe("datacenter");
  expect(events.filter((event) => event.startsWith("refused"))).toEqual([expect.stringContaining("ELOOP")]);
});

test("nor does such a list keep the service from starting", () => {
  const { networks, events } = start((file) => {
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(file, file);
  });
  expect(networks.kindOf("3.8.0.1")).toBe("datacenter");
  expect(events.filter((event) => event.startsWith("refused"))).toHaveLength(1);
});
