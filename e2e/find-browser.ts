import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";
import { chromium } from "@playwright/test";

/** The machine that is searched. */
export type Machine = {
  platform: NodeJS.Platform;
  environment: Record<string, string | undefined>;
  exists: (path: string) => boolean;
  /** Whether a command ends with code 0. */
  works: (command: string, words: readonly string[]) => boolean;
  /** Runs a command with its output shown; throws when it fails. */
  run: (command: string, words: readonly string[]) => void;
  /** Lets some seconds pass. */
  rest: () => void;
  isRoot: boolean;
  /** Where Playwright keeps a Chromium of its own, downloaded or not. */
  ownChromium: string;
  say: (line: string) => void;
};

/**
 * Finds a Chromium to test with and returns its path: the one that `CHROMIUM_PATH` names, Playwright's own,
 * one of the system, or, where the system's packages may be installed, that one. Throws with what to do
 * when there is none.
 */
export function findBrowser(machine: Machine = thisMachine()): string {
  return namedBrowser(machine) ?? ownBrowser(machine) ?? systemBrowser(machine) ?? installedBrowser(machine);
}

const namedBrowser = ({ environment, exists }: Machine): string | null => {
  const path = environment.CHROMIUM_PATH;
  if (!path) return null;
  if (exists(path)) return path;
  throw new Error(`CHROMIUM_PATH names ${path}, which does not exist.`);
};

const ownBrowser = ({ ownChromium, exists }: Machine): string | null =>
  exists(ownChromium) ? ownChromium : null;

const commands = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
  "microsoft-edge-stable",
];

const macApplications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

const windowsPrograms = [
  "Google\\Chrome\\Application\\chrome.exe",
  "Microsoft\\Edge\\Application\\msedge.exe",
];

const systemBrowser = (machine: Machine): string | null => {
  const { platform, environment, exists, works } = machine;
  if (platform === "win32") {
    const folders = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((name) => environment[name]);
    const paths = folders.flatMap((folder) =>
      folder ? windowsPrograms.map((program) => win32.join(folder, program)) : [],
    );
    return paths.find(exists) ?? null;
  }
  const folders = (environment.PATH ?? "").split(":").filter((folder) => folder !== "");
  const onPath = commands.flatMap((command) => folders.map((folder) => posix.join(folder, command)));
  const paths = platform === "darwin" ? [...macApplications, ...onPath] : onPath;
  // Ubuntu's chromium-browser may be a stub that only says that a snap is wanted: ask before trusting it.
  return paths.find((path) => exists(path) && works(path, ["--version"])) ?? null;
};

const installedBrowser = (machine: Machine): string => {
  const { platform, isRoot, works, run, say } = machine;
  const aptHere = platform === "linux" && works("apt-get", ["--version"]);
  const mayInstall = aptHere && (isRoot || works("sudo", ["-n", "true"]));
  if (!mayInstall) throw new Error(noBrowserFound);
  say("No Chromium found: installing the system's package (apt-get install chromium), once.");
  const runApt = (...words: string[]): void => {
    const [command = "", ...rest] = [...(isRoot ? [] : ["sudo", "-n"]), "apt-get", ...words];
    run(command, rest);
  };
  // Another installation on this machine may hold the lock of the packages, and is waited for; a server may be busy.
  const patient = ["-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=3", "-qq"];
  attempt(() => runApt("update", ...patient), machine);
  runApt("install", "-y", ...patient, "--no-install-recommends", "chromium");
  const found = systemBrowser(machine);
  if (found === null) throw new Error(noBrowserFound);
  return found;
};

/** The lock of the lists is not waited for by apt-get itself: up to three times, with a rest in between. */
const attempt = (act: () => void, { rest }: Machine): void => {
  for (let left = 2; ; left -= 1) {
    try {
      act();
      return;
    } catch (error) {
      if (left === 0) throw error;
      rest();
    }
  }
};

const noBrowserFound = [
  "The end-to-end tests need a Chromium, and none was found. Either",
  "  - install one: `npx playwright install chromium`, or your system's Chromium, Chrome or Edge, or",
  "  - name one: CHROMIUM_PATH=/path/to/chromium npm test",
].join("\n");

const thisMachine = (): Machine => ({
  platform: process.platform,
  environment: process.env,
  exists: existsSync,
  works: (command, words) => {
    try {
      execFileSync(command, words, { stdio: "ignore", timeout: 20_000 });
      return true;
    } catch {
      return false;
    }
  },
  run: (command, words) => {
    execFileSync(command, words, {
      stdio: "inherit",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  },
  rest: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000),
  isRoot: process.getuid?.() === 0,
  ownChromium: chromium.executablePath(),
  say: console.log,
});
