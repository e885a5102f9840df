import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What of a package the lock file says that is read here. */
export type Locked = {
  name?: string;
  version?: string;
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};
export type Lock = { packages: Record<string, Locked> };

/** Workspaces that end up with an operator: what runs, and what is built into what browsers get. */
const shippedWorkspaces = ["server", "embed", "dashboard"];

export function readLock(root: string): Lock {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
}

/**
 * The paths in the lock file of everything that is shipped: what those workspaces come to need without what is for
 * development, found as Node finds packages, and Node itself, which the root has for each platform.
 */
export function shippedPaths(lock: Lock): Set<string> {
  const found = new Set<string>();
  const node = Object.keys(lock.packages[""]?.optionalDependencies ?? {}).map(
    (name) => `node_modules/${name}`,
  );
  const ahead = [...shippedWorkspaces, ...node];
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    const locked = lock.packages[path];
    if (locked === undefined || found.has(path)) continue;
    found.add(path);
    ahead.push(...needsOf(locked).flatMap((name) => resolve(lock, path, name)));
  }
  return found;
}

const needsOf = (locked: Locked): string[] => [
  ...Object.keys(locked.dependencies ?? {}),
  ...Object.keys(locked.optionalDependencies ?? {}),
  ...Object.keys(locked.peerDependencies ?? {}).filter(
    (name) => !locked.peerDependenciesMeta?.[name]?.optional,
  ),
];

/** Looked for beside the package, then in each folder above; a workspace is found by way of its link. */
const resolve = (lock: Lock, from: string, name: string): string[] => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const locked = lock.packages[path];
    if (locked !== undefined) return [locked.link ? (locked.resolved ?? path) : path];
    if (folder === "") return [];
  }
};

/** The name of the package at a path. */
export function nameAt(path: string, locked: Locked): string {
  return locked.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
