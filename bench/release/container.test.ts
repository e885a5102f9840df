import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../server/testing/free-port.ts";
import { inheritedEnvironment, repositoryRoot } from "../program.ts";
import { runShell } from "../run-shell.ts";
import { stopping } from "../stopping.ts";
import { inContainer, productionSettings } from "./enclosures.ts";

// By hand, for a machine whose containers may not have the limits that an engine gives them by itself:
// CONTAINER_OPTIONS="--ulimit nofile=20000:20000 --ulimit nproc=10000:10000".
const { CONTAINER_ENGINE, CONTAINER_OPTIONS = "" } = process.env;

const run = (program: string, ...words: string[]) => spawnSync(program, words, { encoding: "utf8" });
const read = (file: string): string => readFileSync(join(repositoryRoot, file), "utf8");
const { version }: { version: string } = JSON.parse(read("package.json"));

/** An engine that answers, and has or can fetch what the image begins with; else the reason why there is none. */
const found = ((): { engine: string } | { reason: string } => {
  const engines = CONTAINER_ENGINE === undefined ? ["docker", "podman"] : [CONTAINER_ENGINE];
  const engine = engines.find((name) => run(name, "info").status === 0);
  if (engine === undefined) return { reason: `none of ${engines.join(", ")} answers` };
  for (const [, image = ""] of read("Containerfile").matchAll(/^ARG \w+=(\S+)$/gm)) {
    if (run(engine, "image", "inspect", image).status === 0) continue;
    const { status, stderr } = run(engine, "pull", image);
    if (status !== 0) return { reason: `${engine} cannot pull ${image}: ${stderr.trim().slice(-300)}` };
  }
  // Where the machine is a container itself, an engine that builds images may yet be forbidden to set the page's limits.
  const [, image = ""] = /^ARG \w+=(\S+)$/m.exec(read("Containerfile")) ?? [];
  const options = CONTAINER_OPTIONS.split(" ").filter((word) => word !== "");
  const { status, stderr } = run(
    engine,
    ...["run", "--rm", ...options, "--ulimit", "core=0", "--entrypoint", "true", image],
  );
  if (status !== 0) return { reason: `${engine} starts no container: ${stderr.trim().slice(-300)}` };
  if (process.getuid?.() !== 0) return { reason: "the data of a container is read from outside, by root" };
  return { engine };
})();
if ("reason" in found) console.warn(`no image is built: ${found.reason}`);
const engine = "engine" in found ? found.engine : "";

describe.skipIf("reason" in found)("the page on containers", { timeout: 600_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), "container-"));
  const shim = join(directory, "engine");
  const inImage = (script: string) =>
    run(shim, "run", "--rm", "--entrypoint", "sh", `offers:${version}`, "-c", script).stdout;
  // Docker tells the health check among the settings, Podman beside them.
  const inspected = (): { Config: Record<string, never>; Healthcheck?: object } => {
    const [image] = JSON.parse(run(engine, "image", "inspect", `offers:${version}`).stdout);
    return image;
  };
  beforeAll(() => {
    // Builds reach the registry as this machine does; Podman's own format would lose the health check.
    const build = `--network host${engine === "podman" ? " --format docker" : ""}`;
    writeFileSync(
      shim,
      `#!/bin/sh\nverb=$1; shift\ncase $verb in build) set -- ${build} "$@" ;; run) set -- ${CONTAINER_OPTIONS} "$@" ;; esac\n` +
        `[ "$verb" = stop ] || exec ${engine} "$verb" "$@"\n` +
        // What the page leaves to its reader's eyes: that it stops well, and how fast.
        `began=$(date +%s%N); ${engine} stop "$@"; echo "took $(( ($(date +%s%N) - began) / 1000000 )) ms"\n` +
        `${engine} inspect --format 'ended with {{.State.ExitCode}}' "$@"\n`,
    );
    chmodSync(shim, 0o700);
  });
  afterAll(() => {
    for (const name of ["offers", "offers-under-load"]) run(engine, "rm", "--force", name);
    run(engine, "volume", "rm", "offers", "offers-next");
    rmSync(directory, { recursive: true });
  });

  test("builds, starts, backs up and upgrades as it stands", async () => {
    const port = await freePort();
    const blocks = [...read("docs/container.md").matchAll(/```sh\n([\s\S]*?)```/g)].map(
      ([, text = ""]) => text,
    );
    const at = blocks.findIndex((text) => text.includes("$ENGINE stop"));
    const [, first = ""] = blocks;
    const [upgrade = "", downgrade = ""] = blocks.slice(at);
    // An engine that breaks off in the middle of a copy.
    const cut = join(directory, "cut");
    writeFileSync(
      cut,
      `#!/bin/sh\ncase "$*" in *" cat "*) ${shim} "$@" | head -c 5000; exit 1 ;; esac\nexec ${shim} "$@"\n`,
      { mode: 0o700 },
    );
    // In a shell that goes on after a failure, as that of a reader does.
    const pasted = (text: string) => `(set +e\n${text}\ntrue)\n`;
    // What the page leaves to its reader's eyes: who the process is, and that its data, its settings and its copies are still there.
    const look = `
      ${pasted(`ENGINE=${cut}; back_up offers.sqlite`)}
      $ENGINE exec offers cat /proc/1/status | grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs)' | tr '\\t' ' '
      $ENGINE exec offers sh -c 'touch /opt/offers/x || touch /etc/x || echo nowhere' 2>/dev/null
      $ENGINE inspect --format 'log: {{json .HostConfig.LogConfig}}' offers
      $ENGINE exec offers cat /proc/1/cmdline | tr '\\0' ' '; echo
      admin publisher create --name Kept
      cp "$CONFIG/image.env" "$CONFIG/before.env"
      unset -f run ready admin back_up give taken on_volume restore copy_lists
      unset ENGINE BACKUPS CONTAINER PORT RUN_OPTIONS LOG_OPTIONS
      . operations/container.sh
      [ "$PORT" = ${port} ]
      ${pasted(first)}
      ${pasted(`openssl() { return 1; }; CONFIG=${join(directory, "none")}\n${first.replace(/^run [\s\S]*/m, "")}`)}
      [ ! -e ${join(directory, "none/image.env")} ]
      cmp "$CONFIG/image.env" "$CONFIG/before.env"
      ${pasted(`VERSION=nowhere\n${upgrade}`)}
      [ "$($ENGINE inspect --format '{{.State.Running}}' offers)" = true ]`;
    // The way back where no container is left, then beside one that runs: to no image, with a copy that is cut off, and whole.
    const back = `
      admin publisher create --name Lost
      ${pasted(`$ENGINE rm --force offers; ${upgrade}`)}
      ${downgrade.replace("0.1.0", version)}
      echo "downgraded: $(admin publisher list)"
      ${pasted(`restore "$BACKUPS/offers.sqlite" offers:nowhere`)}
      ready
      ${pasted(`wc() { echo 7; }; restore "$BACKUPS/offers.sqlite" "offers:$VERSION"`)}
      ready
      echo "cut off: $(admin publisher list)"
      echo "left of it: $($ENGINE exec offers ls /var/lib/offers | grep -c partial)"
      restore "$BACKUPS/offers.sqlite" "offers:$VERSION"
      echo "restored: $(admin publisher list)"
      echo 192.0.2.0/24 > "$CONFIG/hosters.txt"
      admin networks update --list datacenter --file "$(give "$CONFIG/hosters.txt")"
      taken
      (CONTAINER=offers-next; copy_lists offers "offers:$VERSION" &&
        on_volume "offers:$VERSION" --eval 'console.log("copied:", fs.globSync("/var/lib/offers/**"))' < /dev/null)`;
    const script = [...blocks.slice(0, at), look, upgrade, upgrade, "admin publisher list", back].join("\n");
    const environment = {
      ...inheritedEnvironment(),
      ENGINE: shim,
      CONFIG: directory,
      BACKUPS: directory,
      CRON: directory,
      ORIGIN: `http://127.0.0.1:${port}`,
      PORT: String(port),
    };
    const out = await runShell(script, environment);
    expect(out.match(/"status":"ready"/g), out).toHaveLength(8);
    expect(out).toMatch(/^Uid: 10001 10001 10001 10001$/m);
    expect(out).toMatch(/^CapEff: 0{16}\nCapBnd: 0{16}\nNoNewPrivs: 1$/m);
    expect(out).toMatch(/^nowhere$/m);
    expect(out).toMatch(/^node --import \.\/server\/compile-cache\.ts .*server\/main\.ts $/m);
    // Podman tells the size beside what a driver is told.
    expect(out).toMatch(/^log: .*(?:"max-size":"100m"|"Size":"100MB")/m);
    expect(out).toMatch(/^ended with 0$/m);
    expect(Number(/^took (\d+) ms$/m.exec(out)?.[1])).toBeLessThan(10_000);
    expect(out.slice(out.indexOf("ended with"))).toContain("Kept");
    expect(out).toContain("left of it: 0\n");
    expect(out).toMatch(/^copied: [\s\S]*networks\/datacenter\.txt/m);
    const [, downgraded = "", cutOff = "", restored = ""] = out.split(/^(?:downgraded|cut off|restored): /m);
    expect(downgraded).toContain("Kept");
    expect(cutOff).toContain("Kept");
    expect(downgraded + restored).not.toContain("Lost");
    expect(restored).not.toContain("Kept");
    const copies = readdirSync(directory).filter((name) => name.endsWith(".sqlite"));
    const named = expect.stringMatching(/^offers-\d+\.\d+\.\d+-\d{4}-\d\d-\d\dT\d{6}\.sqlite$/);
    expect(copies.toSorted()).toEqual([named, named, "offers.sqlite"]);
    for (const name of copies) {
      const file = join(directory, name);
      expect(statSync(file).mode & 0o077, name).toBe(0);
      const copy = new Sqlite(file, { readonly: true });
      expect(copy.pragma("integrity_check", { simple: true }), name).toBe("ok");
      const kept = copy.prepare("select count(*) from publisher where name = 'Kept'").pluck().get();
      expect(kept, name).toBe(name === "offers.sqlite" ? 0 : 1);
      copy.close();
    }
  });

  test("makes an image without compilers, npm, tests or what a developer has", () => {
    const forbidden = "cc gcc g++ clang tcc make python3 npm npx corepack curl wget";
    expect(inImage(`for name in ${forbidden}; do command -v $name; done; echo looked`)).toBe("looked\n");
    expect(
      inImage(
        "find / -xdev -path '*/node_modules' -prune -o \\( -name '*.test.ts' -o -name .env -o -name .git \\) -print; echo looked",
      ),
    ).toBe("looked\n");
    expect(inImage("find /opt/offers ! -user root; echo looked")).toBe("looked\n");
    const installed = inImage("ls /opt/offers/node_modules").split("\n");
    expect(installed).toContain("pg");
    for (const name of ["typescript", "vite", "vitest", "playwright", "geoip-lite"])
      expect(installed).not.toContain(name);
  });

  test("labels it, asks for its health, and has its bill and its licences within", () => {
    const { Config, Healthcheck } = inspected();
    expect({ Healthcheck, ...Config }).toMatchObject({
      User: "10001:10001",
      Labels: { "org.opencontainers.image.version": version },
      Healthcheck: { Test: ["CMD", "node", "--eval", expect.stringContaining("/healthz")] },
    });
    expect(JSON.stringify(Config)).not.toMatch(/SECRET|PASSWORD/i);
    const bill = JSON.parse(inImage("cat /opt/offers/sbom.cdx.json"));
    expect(bill.metadata.component).toMatchObject({ name: "affiliate-offer-service", version });
    expect(inImage("cat /opt/offers/third-party-licences.md")).toMatch(/^## express /m);
  });

  test("stops under load with 0, answers what it has taken, and loses nothing by the next start", async () => {
    const dataDir = mkdtempSync(join(directory, "data-"));
    chownSync(dataDir, 10001, 10001);
    const checks = await stopping(
      { clients: 24, stops: 2, loadMs: 1000, stopMs: 15_000, mostTurnedAway: 25 },
      {
        dataDir,
        enclosure: inContainer(shim, `offers:${version}`, "offers-under-load"),
        environment: productionSettings(),
      },
    );
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  });
});
