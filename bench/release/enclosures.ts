import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Enclosure, repositoryRoot } from "../program.ts";

/** A number that is nobody's, as in the container file. */
const nobody = 10001;

/** What the service is given beside its address and its data: the settings of production. */
export const productionSettings = (): Record<string, string> => ({
  NODE_ENV: "production",
  TOKEN_SECRET: randomBytes(48).toString("base64"),
});

/** Where the data and the program are in an image, and under the unit. */
const [dataDir, home] = ["/var/lib/offers", "/opt/offers"];

/**
 * The image's file system and the unit's restrictions without an engine and without systemd, by bubblewrap: node is process
 * 1, of user 10001 and without a capability, everything is read-only but the data directory and an empty `/tmp`, and no
 * other process is seen. What it has not is the unit's filter of system calls.
 */
export const bubblewrap: Enclosure = {
  command: ({ words, dataDir: outside }) => [
    "bwrap",
    ...["--unshare-user", "--uid", String(nobody), "--gid", String(nobody), "--cap-drop", "ALL"],
    ...["--unshare-pid", "--as-pid-1", "--unshare-ipc", "--unshare-uts", "--die-with-parent"],
    ...["/usr", "/lib", "/lib64", "/bin", "/etc"].flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--ro-bind", repositoryRoot, home, "--bind", outside, dataDir],
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--remount-ro", "/"],
    ...["--chdir", home, "--setenv", "DATA_DIR", dataDir, "--setenv", "PATH", "/usr/bin:/bin"],
    ...[`${home}/node_modules/.bin/node`, ...words.map((word) => word.replace(repositoryRoot, home))],
  ],
  // Bubblewrap itself stays outside, waits for process 1, and ends with its code.
  signalled: (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim()),
};

/** Why bubblewrap cannot do that here; null when it can. */
export function whyNoBubblewrap(): string | null {
  if (!existsSync(join(repositoryRoot, "node_modules/.bin/node")))
    return "npm brings no Node for this platform";
  const [program, ...words] = bubblewrap.command({ words: ["--version"], dataDir: "/tmp", environment: {} });
  const { error, stderr, status } = spawnSync(program, words, { encoding: "utf8" });
  return status === 0 ? null : `bwrap: ${error?.message ?? stderr.trim()}`;
}

/** The image as docs/container.md runs it, but on the machine's own network, where the tests find its port. */
export function inContainer(engine: string, image: string, name: string): Enclosure {
  return {
    command: ({ dataDir: outside, environment: { DATA_DIR: _, PATH: __, ...environment } }) => [
      engine,
      ...["run", "--rm", "--name", name, "--network", "host", "--read-only", "--tmpfs", "/tmp"],
      ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--ulimit", "core=0"],
      ...["--volume", `${outside}:${dataDir}`],
      ...Object.entries(environment).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
      image,
    ],
    // The engine's program hands on the signals that it gets.
    signalled: (pid) => pid,
  };
}
