/** One sample of a thread's stack: whose it is, and its frames, the innermost first. */
export type StackSample = { thread: number; name: string; frames: readonly Frame[] };
type Frame = { symbol: string; object: string };

/** What a sample is counted as: the file of the program that was at work, and who did the work for it. */
export type Part = { file: string; by: Worker };
export const workers = ["JavaScript", "Node and V8", "SQLite", "kernel"] as const;
type Worker = (typeof workers)[number];

/** Reads what `perf script -F comm,tid,ip,sym,dso` prints: a line for each sample, then its frames, then an empty line. */
export function readSamples(text: string): StackSample[] {
  return text.split("\n\n").flatMap((block): StackSample[] => {
    const [head = "", ...lines] = block.split("\n").filter((line) => line.trim() !== "");
    const [, name, thread] = /^\s*(.+?)\s+(\d+)\s*$/.exec(head) ?? [];
    if (name === undefined) return [];
    const frames = lines.flatMap((line) => {
      const [, symbol, object] = /^\s*[0-9a-f]+ (.*) \((.*)\)$/.exec(line) ?? [];
      return symbol === undefined || object === undefined ? [] : [{ symbol, object }];
    });
    return [{ thread: Number(thread), name, frames }];
  });
}

/** Garbage is garbage whoever left it; else the innermost frame of a file of the program decides, or of a module of Node. */
export function partOf({ frames }: StackSample, root: string): Part {
  const by = workerOf(frames);
  const is = (pattern: RegExp) => frames.some(({ symbol }) => pattern.test(symbol));
  if (is(/Scaveng|MarkCompact|CollectGarbage|Sweeper|ConcurrentMark|MinorGC/)) return { file: "garbage", by };
  if (is(/Compil|maglev|turboshaft|baseline::|TieringManager/)) return { file: "compilation", by };
  const files = frames.flatMap(({ symbol }) => fileOf(symbol, root) ?? []);
  const ours = files.find((file) => !file.startsWith("node:"));
  return { file: ours ?? files[0] ?? "Node, outside of JavaScript", by };
}

const fileOf = (symbol: string, root: string): string | null => {
  const [, place] = /(?:file:\/\/| )((?:\/|node:)\S+?):\d+(?::\d+)?$/.exec(symbol) ?? [];
  if (place === undefined) return null;
  const inside = place.startsWith(`${root}/`) ? place.slice(root.length + 1) : place;
  return inside.replace(/^node_modules\/((?:@[^/]+\/)?[^/]+)\/.*$/, "$1");
};

const workerOf = (frames: readonly Frame[]): Worker => {
  // What libc does is done for whoever called it.
  const owner = frames.find(({ object }) => !/\/(libc|libm|libpthread)[.-]/.test(object));
  if (owner?.object.startsWith("[kernel")) return "kernel";
  if (owner === undefined) return "Node and V8";
  if (owner.object.includes("better-sqlite3")) return "SQLite";
  return /\/perf-\d+\.map$/.test(owner.object) ? "JavaScript" : "Node and V8";
};

/**
 * The map of compiled functions that V8 writes for perf, a line `ADDRESS SIZE NAME` in hexadecimal for each, without those in
 * whose place others have been put since: perf would call these by the names of the first.
 */
export function latestOnly(map: string): string {
  const kept: { from: number; to: number; line: string }[] = [];
  for (const line of map.split("\n").reverse()) {
    const [, address = "", size = ""] = /^([0-9a-f]+) ([0-9a-f]+) /.exec(line) ?? [];
    const from = Number.parseInt(address, 16);
    const to = from + Number.parseInt(size, 16);
    if (Number.isNaN(to)) continue;
    // The first that ends after it begins.
    let [low, high] = [0, kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((kept[middle]?.to ?? 0) > from) high = middle;
      else low = middle + 1;
    }
    if ((kept[low]?.from ?? Number.POSITIVE_INFINITY) >= to) kept.splice(low, 0, { from, to, line });
  }
  return `${kept.map(({ line }) => line).join("\n")}\n`;
}
