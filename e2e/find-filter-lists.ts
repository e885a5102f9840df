import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Debian's package of a content blocker, which brings the lists of its release along. */
const debianPackage = "webext-ublock-origin-chromium";
const extensions = "usr/share/chromium/extensions";
const cache = join(import.meta.dirname, "../node_modules/.cache/filter-lists");
const names = ["easylist.txt", "easyprivacy.txt"] as const;

/**
 * The texts of EasyList and EasyPrivacy as Debian ships them: from where the package is installed, else out of the package,
 * which is fetched once and not installed. Null where neither can be had, after a line that says how.
 */
export function findFilterLists(say: (line: string) => void = console.log): string[] | null {
  const folder = listsIn("/") ?? listsIn(cache) ?? unpacked();
  if (folder !== null) return names.map((name) => readFileSync(join(folder, name), "utf8"));
  say(`No filter lists: their test is skipped. To run it: apt-get install ${debianPackage}`);
  return null;
}

function unpacked(): string | null {
  mkdirSync(cache, { recursive: true });
  const options = { cwd: cache, stdio: "ignore", timeout: 60_000 } as const;
  try {
    execFileSync("apt-get", ["download", "-qq", "-o", "Acquire::http::Timeout=20", debianPackage], options);
    const file = readdirSync(cache).find((name) => name.endsWith(".deb"));
    if (file === undefined) return null;
    execFileSync("dpkg-deb", ["-x", file, "."], options);
  } catch {
    return null;
  }
  return listsIn(cache);
}

function listsIn(root: string): string | null {
  const folder = join(root, extensions, "ublock-origin/assets/thirdparties/easylist");
  return names.every((name) => existsSync(join(folder, name))) ? folder : null;
}
