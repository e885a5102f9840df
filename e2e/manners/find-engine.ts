import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../bench/program.ts";
import type { EngineName } from "./engine.ts";

type OtherEngine = Exclude<EngineName, "chromium">;

/** The machine that is searched. */
export type Machine = {
  platform: NodeJS.Platform;
  environment: Record<string, string | undefined>;
  exists: (path: string) => boolean;
  /** Runs a command; false when it fails or takes longer than `withinMs`. */
  works: (command: string, words: readonly string[], withinMs: number) => boolean;
  isRoot: boolean;
  /** False when an earlier run on this machine could not install them; remembers that it was asked. */
  isFirstTry: () => boolean;
  say: (line: string) => void;
};

type FoundEngine = { path: string; absence: null } | { path: ""; absence: string };

const wanted = {
  firefox: {
    variable: "FIREFOX_PATH",
    commands: ["firefox-esr", "firefox"],
    beside: [],
    packages: ["firefox-esr"],
  },
  webkit: {
    variable: "WEBKIT_DRIVER_PATH",
    commands: ["WebKitWebDriver"],
    beside: ["Xvfb"],
    packages: ["webkit2gtk-driver", "xvfb"],
  },
} as const satisfies Record<
  OtherEngine,
  { variable: string; commands: readonly string[]; beside: readonly string[]; packages: readonly string[] }
>;

/**
 * Looks for Firefox and WebKitGTK before the tests begin, and writes into the environment what it found; an empty
 * FIREFOX_PATH or WEBKIT_DRIVER_PATH keeps one out. As root where the system's packages are (a container, a build
 * machine) missing ones are installed, once and within minutes; on anybody's own account nothing is. What cannot
 * be had is skipped, with a line that says so.
 */
export function prepareEngines(machine: Machine = thisMachine()): void {
  const { environment, say } = machine;
  const names: readonly OtherEngine[] = ["firefox", "webkit"];
  const missing = names.filter(
    (name) => environment[wanted[name].variable] === undefined && find(name, machine) === null,
  );
  if (missing.length > 0) install(missing, machine);
  for (const name of names) {
    const { variable, packages } = wanted[name];
    environment[variable] ??= find(name, machine) ?? "";
    if (environment[variable] === "") {
      say(`No ${name}: its pages are skipped. To run them: apt-get install ${packages.join(" ")}`);
    }
  }
}

/** The engine as `prepareEngines` has found it. */
export function foundEngine(name: OtherEngine, environment = process.env): FoundEngine {
  const { variable, packages } = wanted[name];
  const path = environment[variable];
  if (path) return { path, absence: null };
  return { path: "", absence: `${name} is not on this machine (Debian: ${packages.join(", ")})` };
}

const find = (name: OtherEngine, { platform, environment, exists }: Machine): string | null => {
  // On other systems these programs are driven in other ways, which nobody has tried.
  if (platform !== "linux") return null;
  const folders = (environment.PATH ?? "").split(":").filter((folder) => folder !== "");
  const pathOf = (command: string) => folders.map((folder) => join(folder, command)).find(exists);
  const { commands, beside } = wanted[name];
  if (!beside.every(pathOf)) return null;
  return commands.map(pathOf).find((path) => path !== undefined) ?? null;
};

const install = (names: readonly OtherEngine[], machine: Machine): void => {
  const { platform, isRoot, works, isFirstTry, say } = machine;
  if (platform !== "linux" || !isRoot || !works("apt-get", ["--version"], 10_000) || !isFirstTry()) return;
  say(`Installing ${names.join(" and ")} for the page tests (apt-get), once.`);
  // Another installation on this machine may hold the lock of the packages, and is waited for.
  const lock = ["-o", "DPkg::Lock::Timeout=120"];
  const patient = [...lock, "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-qq"];
  if (!works("apt-get", ["update", ...patient], 60_000)) return;
  for (const name of names) {
    works(
      "apt-get",
      ["install", "-y", ...patient, "--no-install-recommends", ...wanted[name].packages],
      180_000,
    );
  }
};

const thisMachine = (): Machine => ({
  platform: process.platform,
  environment: process.env,
  exists: existsSync,
  works: (command, words, withinMs) => {
    try {
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      execFileSync(command, words, { stdio: "ignore", timeout: withinMs, env });
      return true;
    } catch {
      return false;
    }
  },
  isRoot: process.getuid?.() === 0,
  isFirstTry: () => {
    const note = join(repositoryRoot, "node_modules/.cache/engines-tried");
    if (existsSync(note)) return false;
    mkdirSync(join(note, ".."), { recursive: true });
    writeFileSync(note, "");
    return true;
  },
  say: console.log,
});
