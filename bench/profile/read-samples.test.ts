import { expect, test } from "vitest";
import { latestOnly, partOf, readSamples, type StackSample } from "./read-samples.ts";

const text = `MainThread  4711
	ffffffff8180 tcp_sendmsg ([kernel.kallsyms])
	    7f00aa01 [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6)
	    7f00bb02 JS:*send file:///srv/offers/server/http/node-call.ts:10:22 (/tmp/perf-4711.map)

WorkerThread  4713
	          153341 sqlite3VdbeExec (/srv/offers/node_modules/better-sqlite3/prebuilds/linux-x64.node)
	    7f00bb03 JS:*keep file:///srv/offers/server/store/sqlite/cells.ts:7:1 (/tmp/perf-4711.map)

`;

test("samples are read with their threads and frames", () => {
  const samples = readSamples(text);
  expect(samples.map(({ thread, name, frames }) => [thread, name, frames.length])).toEqual([
    [4711, "MainThread", 3],
    [4713, "WorkerThread", 2],
  ]);
  expect(samples.map((sample) => partOf(sample, "/srv/offers"))).toEqual([
    { file: "server/http/node-call.ts", by: "kernel" },
    { file: "server/store/sqlite/cells.ts", by: "SQLite" },
  ]);
});

const sampleOf = (...frames: [symbol: string, object: string][]): StackSample => ({
  thread: 1,
  name: "MainThread",
  frames: frames.map(([symbol, object]) => ({ symbol, object })),
});
const [map, node, libc] = ["/tmp/perf-1.map", "/usr/bin/node", "/usr/lib/libc.so.6"];

test.each([
  [
    "a module of Node within a file of ours is that file's",
    [
      ["JS:*write node:net:900:3", map],
      ["JS:*answer file:///srv/offers/server/app.ts:3:1", map],
    ],
    { file: "server/app.ts", by: "JavaScript" },
  ],
  ["a module of Node alone", [["JS:*onRead node:net:1:2", map]], { file: "node:net", by: "JavaScript" }],
  [
    "a package",
    [["JS:*parse file:///srv/offers/node_modules/@scope/name/lib/a.js:3:1", map]],
    { file: "@scope/name", by: "JavaScript" },
  ],
  [
    "libc works for whoever called it",
    [
      ["malloc", libc],
      ["node::crypto::Cipher", node],
      ["JS:^seal /srv/offers/server/core/seal.ts:3:1", map],
    ],
    { file: "server/core/seal.ts", by: "Node and V8" },
  ],
  ["libc alone", [["memcpy", libc]], { file: "Node, outside of JavaScript", by: "Node and V8" }],
  [
    "garbage",
    [
      ["v8::internal::Scavenger::Run", node],
      ["JS:*answer file:///srv/offers/server/app.ts:3:1", map],
    ],
    { file: "garbage", by: "Node and V8" },
  ],
] as const)("%s", (_, frames, part) => {
  expect(
    partOf(sampleOf(...frames.map(([symbol, object]): [string, string] => [symbol, object])), "/srv/offers"),
  ).toEqual(part);
});

test("of compiled functions at one address the last one stands", () => {
  const lines = ["1000 20 old", "1010 8 older neighbour", "1020 10 beside", "1008 10 new"];
  expect(latestOnly(lines.join("\n"))).toBe("1008 10 new\n1020 10 beside\n");
});
