import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dashEndpoints } from "@offers/contract/dash/endpoints";
import { type Endpoint, endpoints } from "@offers/contract/endpoints";
import { patternOf } from "../http/route.ts";

/** Set by the test runner for all its processes: where each service leaves what its endpoints answered. */
const folder = process.env.NOTED_CALLS;

/** What calls of one endpoint were answered with. */
type Noted = { endpoint: string; status: number };

/** Notes the calls that a test service answers, for whoever asks afterwards which endpoints were called. */
export type CallNotes = {
  note: (call: { method: string; target: string; hasCredential: boolean }, status: number) => void;
  /** Leaves the notes for other processes to read. */
  keep: () => void;
};

export function createCallNotes(): CallNotes {
  const rows = notedEndpoints.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));
  const noted = new Map<string, Noted>();
  return {
    note: ({ method, target, hasCredential }, status) => {
      const [path = ""] = target.split("?");
      const found = rows.filter((row) => row.endpoint.method === method && row.pattern.test(path));
      // Two groups share a path, and the credential tells whose call it is.
      const own = found.find(({ endpoint }) => (endpoint.group === "server") === hasCredential) ?? found[0];
      if (own === undefined) return;
      const endpoint = nameOf(own.endpoint);
      noted.set(`${endpoint} ${status}`, { endpoint, status });
    },
    keep: () => {
      if (folder === undefined || noted.size === 0) return;
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify([...noted.values()]));
    },
  };
}

type NotedEndpoint = { group: Endpoint["group"] | "dashboard"; method: string; path: string };

/** The endpoints of the interface, and those of the dashboard. */
export const notedEndpoints: readonly NotedEndpoint[] = [
  ...endpoints,
  ...dashEndpoints.map(({ method, path }) => ({ group: "dashboard" as const, method, path })),
];

/** How an endpoint stands in the notes. */
export function nameOf({ group, method, path }: NotedEndpoint): string {
  return `${group} ${method} ${path}`;
}

/** Every status that an endpoint has answered with in the test files that have ended by now, by its name. */
export function readCallNotes(): ReadonlyMap<string, ReadonlySet<number>> {
  if (folder === undefined) throw new Error("the test runner sets no NOTED_CALLS");
  const all = readdirSync(folder).flatMap(
    (file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Noted[],
  );
  const byEndpoint = Map.groupBy(all, ({ endpoint }) => endpoint);
  return new Map([...byEndpoint].map(([name, notes]) => [name, new Set(notes.map(({ status }) => status))]));
}
