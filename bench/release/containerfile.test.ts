import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Sqlite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../program.ts";

const read = (file: string): string => readFileSync(join(repositoryRoot, file), "utf8");
const { scripts, workspaces }: { scripts: Record<string, string>; workspaces: string[] } = JSON.parse(
  read("package.json"),
);

/** One line for each instruction: comments left out, and lines that go on put together. */
const instructions = read("Containerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\s*\\\n\s*/g, " ")
  .split("\n")
  .filter((line) => line !== "");
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));
const the = (word: string, lines: readonly string[] = last): string[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

describe("the container file", () => {
  test("begins with images that a tag pins, the builder's with the Node of the lock file", () => {
    const [builder = "", base = ""] = the("ARG", instructions)
      .filter((line) => line.includes("="))
      .map((line) => line.replace(/^\w+=/, ""));
    const version = read(".node-version").trim();
    expect(builder).toBe(`docker.io/library/node:${version}-trixie-slim`);
    expect(base).toBe("docker.io/library/debian:13-slim");
    // Trixie is Debian 13: what was made on the one is run on the other.
    expect(the("FROM", instructions)).toEqual([
      "$" + "{BUILDER} AS manifests",
      "manifests AS dependencies",
      "manifests AS build",
      "$" + "{BASE}",
    ]);
  });

  test("takes packages from the lock file alone, and hands on what production needs", () => {
    const installs = the("RUN", instructions).flatMap(
      (line) => line.match(/npm (?:ci|i|install)\b[^&]*/g) ?? [],
    );
    expect(installs.map((words) => words.trim())).toEqual([
      "npm ci --omit=dev --workspace=server --include-workspace-root",
      "npm ci",
    ]);
    expect(the("COPY").find((line) => line.includes("node_modules"))).toMatch(/^--from=dependencies /);
  });

  test("knows the manifest of every workspace, without which npm ci would refuse the lock file", () => {
    const copied = the("COPY", instructions).flatMap(
      (line) => /^(\S+)\/package\.json \S+$/.exec(line)?.[1] ?? [],
    );
    expect(copied.sort()).toEqual([...workspaces].sort());
  });

  test("runs nothing in the last image, so that one without a shell will do, and adds nothing from elsewhere", () => {
    expect(the("RUN")).toEqual([]);
    expect(the("ADD", instructions)).toEqual([]);
    for (const line of the("COPY")) expect(line).toMatch(/^--from=(dependencies|build) /);
  });

  test("lets everybody read what it hands on, whatever umask the checkout was made under", () => {
    const readable = the("RUN", instructions).flatMap(
      (line) => /chmod -R a\+rX (.*)$/.exec(line)?.[1]?.split(" ") ?? [],
    );
    const handedOn = the("COPY")
      .filter((line) => line.startsWith("--from=build ") && !line.includes("--chown"))
      .flatMap((line) => [...line.matchAll(/\/opt\/offers\/([^/ ]+)/g)].map(([, name]) => name));
    expect(readable).toEqual([...new Set(handedOn)]);
  });

  test("is nobody's root, by a number that owns its data directory and nothing else", () => {
    const [user = ""] = the("USER");
    expect(user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
    const owned = the("COPY").filter((line) => line.includes("--chown"));
    expect(owned).toEqual([`--from=build --chown=${user} /opt/offers/data /var/lib/offers`]);
    expect(the("VOLUME")).toEqual(["/var/lib/offers"]);
  });

  test("starts node itself, with the words of npm run serve, and asks for its health without a shell", () => {
    const [entry = "", command = "", health = ""] = [the("ENTRYPOINT"), the("CMD"), the("HEALTHCHECK")].map(
      ([line]) => line,
    );
    expect([...JSON.parse(entry), ...JSON.parse(command)].join(" ")).toBe(scripts.serve);
    const [program, , script] = JSON.parse(health.slice(health.indexOf("CMD ") + 4));
    expect(program).toBe("node");
    expect(script).toContain("/healthz");
  });

  test.each([
    { told: "where visitors come", env: {}, isOfMetrics: false },
    { told: "where metrics are told", env: { METRICS_HOST: "0.0.0.0" }, isOfMetrics: true },
    { told: "where metrics are told to this machine alone", env: {}, isOfMetrics: true },
  ])("asks for its health $told", async ({ env, isOfMetrics }) => {
    const asked: string[] = [];
    const server = createServer((req, res) => {
      asked.push(req.url ?? "");
      res.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const [health = ""] = the("HEALTHCHECK");
    const [, ...words] = JSON.parse(health.slice(health.indexOf("CMD ") + 4));
    // Port 9 is nobody's: where metrics are told, a crowd may keep the visitors' door shut.
    const ports = isOfMetrics
      ? { PORT: "9", METRICS_PORT: `${port}` }
      : { PORT: `${port}`, METRICS_PORT: "" };
    const child = spawn(process.execPath, words, { env: { ...env, ...ports } });
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(asked).toEqual(["/healthz"]);
    server.close();
    server.closeAllConnections();
  });

  test("has no secret, and no address of a source, in its settings", () => {
    const settings = [...the("ENV", instructions), ...the("ARG", instructions), ...the("LABEL")].join(" ");
    expect(settings).not.toMatch(/secret|password|token|DATABASE_URL|\.source=/i);
    expect(settings).toContain("image.version=" + '"$' + '{VERSION}"');
  });

  test("leaves out of the image what a machine has made or keeps to itself", () => {
    const ignored = read(".dockerignore").split("\n");
    for (const line of ["**/node_modules", "**/dist", ".git", ".data", ".env", "**/*.test.ts"])
      expect(ignored).toContain(line);
  });
});

describe.skipIf(process.platform === "win32")("restore, in the shell of the page on containers", () => {
  const copied = "copied".repeat(1000);
  /** Which verbs an engine is asked for, and what the volume has then, where `before` comes first. */
  const restore = (before: string) => {
    const folder = mkdtempSync(join(tmpdir(), "volume-"));
    try {
      const env = {
        PATH: process.env.PATH,
        CONFIG: folder,
        ENGINE: join(folder, "engine"),
        DATA_DIR: join(folder, "data"),
      };
      const script = `
        . operations/container.sh
        ready() { :; }; admin() { :; }
        ${before}
        restore ${folder}/copy offers:new`;
      const standIn = `#!/bin/sh
        echo "$1 $2" >> ${folder}/verbs
        [ "$1 $2" = "run --rm" ] || exit 0
        while [ "$1" != --entrypoint ]; do shift; done
        shift 3
        exec ${process.execPath} "$@"`;
      mkdirSync(env.DATA_DIR);
      writeFileSync(join(env.DATA_DIR, "offers.sqlite"), "served from");
      writeFileSync(join(folder, "copy"), copied);
      writeFileSync(env.ENGINE, standIn, { mode: 0o700 });
      const { status } = spawnSync("bash", ["-c", script], { cwd: repositoryRoot, env });
      return {
        isRestored: status === 0,
        verbs: readFileSync(join(folder, "verbs"), "utf8").trim().split("\n"),
        files: readdirSync(env.DATA_DIR).toSorted(),
        database: readFileSync(join(env.DATA_DIR, "offers.sqlite"), "utf8"),
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test.each([
    ["is cut off", "wc() { echo 7; }"],
    ["has no room", "ulimit -f 1"],
  ])("stops nothing and leaves nothing behind where the copy %s", (_, before) => {
    expect(restore(before)).toEqual({
      isRestored: false,
      verbs: ["image inspect", "run --rm"],
      files: ["offers.sqlite"],
      database: "served from",
    });
  });

  test("stops the container once the copy is there, and starts one on it", () => {
    expect(restore("")).toEqual({
      isRestored: true,
      verbs: [
        "image inspect",
        "run --rm",
        "container inspect",
        "stop offers",
        "rm --force",
        "run --rm",
        "run --detach",
      ],
      files: ["offers.sqlite", expect.stringMatching(/^replaced-\d+$/)],
      database: copied,
    });
  });
});

describe.skipIf(process.platform === "win32")("run, in the shell of the page on containers", () => {
  /** What an engine is asked for, where that stands in the file of settings. */
  const asked = (settings: string): string => {
    const folder = mkdtempSync(join(tmpdir(), "run-"));
    try {
      writeFileSync(join(folder, "container"), settings);
      const env = { PATH: process.env.PATH, CONFIG: folder, ENGINE: "echo" };
      const words = ["-c", "set -u; . operations/container.sh; run offers:new --flag"];
      return spawnSync("bash", words, { cwd: repositoryRoot, env, encoding: "utf8" }).stdout;
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test("limits what the engine keeps of the log, also where the settings were made before that", () => {
    const words = asked('PORT="8787"\nRUN_OPTIONS="--publish 9464:9464"\n');
    expect(words).toContain(" --log-opt max-size=100m --log-opt max-file=5 ");
    expect(words).toMatch(/ --publish 9464:9464 offers:new --flag\n$/);
  });

  test("leaves that to a log driver of the reader's own", () => {
    expect(asked('LOG_OPTIONS="--log-driver journald"\n')).toContain(" --log-driver journald ");
    expect(asked('LOG_OPTIONS=""\n')).not.toContain("--log");
    expect(read("docs/container.md")).toContain('\nLOG_OPTIONS="$LOG_OPTIONS"\n');
  });
});

describe.skipIf(process.platform === "win32")("the page on containers", () => {
  const [build = "", ...blocks] = [...read("docs/container.md").matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, text = ""]) => text,
  );

  test("asks no Node of the machine for the release's version", () => {
    const words = ["-euc", `node() { exit 1; }; ENGINE=echo\n${build}`];
    const { stdout } = spawnSync("sh", words, {
      cwd: repositoryRoot,
      encoding: "utf8",
      // No settings of a container that this machine has.
      env: { PATH: process.env.PATH, CONFIG: "/nowhere" },
    });
    const { version } = JSON.parse(read("package.json"));
    expect(stdout.trimEnd()).toMatch(
      new RegExp(` --build-arg VERSION=${version} --tag offers:${version} \\.$`),
    );
  });

  test("has cron make a backup under the name of the day, and says nothing unless it fails", () => {
    const folder = mkdtempSync(join(tmpdir(), "cron-"));
    try {
      const engine = join(folder, "engine");
      writeFileSync(
        engine,
        `#!/bin/sh\ncase "$3" in node) [ -e ${folder}/there ] || { echo "no container" >&2; exit 1; } ;; cat) echo "the copy" ;; esac\n`,
        { mode: 0o700 },
      );
      writeFileSync(join(folder, "container"), `ENGINE="${engine}"\nBACKUPS="${folder}"\n`);
      const block = blocks.find((text) => text.includes("CRON")) ?? "";
      const env = { PATH: process.env.PATH, CONFIG: folder, CRON: folder };
      const made = `. operations/container.sh\n${block}`;
      expect(spawnSync("sh", ["-euc", made], { cwd: repositoryRoot, env }).status).toBe(0);
      const [path = "", line = ""] = readFileSync(join(folder, "offers-backup"), "utf8").split("\n");
      const [, command = ""] = /^20 3 \* \* \* root (.*)$/.exec(line) ?? [];
      // Cron ends a command at a bare `%`.
      expect(command).not.toMatch(/(?<!\\)%/);
      const night = () =>
        spawnSync("sh", ["-c", command.replaceAll("\\%", "%")], {
          cwd: "/",
          env: { PATH: path.replace("PATH=", "") },
          encoding: "utf8",
        });
      expect(night()).toMatchObject({ status: 1, stdout: "", stderr: "no container\n" });
      writeFileSync(join(folder, "there"), "");
      expect(night()).toMatchObject({ status: 0, stdout: "", stderr: "" });
      const copies = readdirSync(folder).filter((name) => name.endsWith(".sqlite"));
      expect(copies).toEqual([expect.stringMatching(/^offers-[1-7]\.sqlite$/)]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe.skipIf(process.platform === "win32")("back_up, in the shell of the page on containers", () => {
  test.each([
    { name: "comes out whole", endsWith: 0, files: ["offers.sqlite"] },
    { name: "is cut off", endsWith: 1, files: ["offers.sqlite.partial"] },
  ])("leaves no copy in the volume where it $name", ({ endsWith, files }) => {
    const folder = mkdtempSync(join(tmpdir(), "backed-up-"));
    try {
      const [backups, volume] = [join(folder, "backups"), join(folder, "volume")];
      for (const each of [backups, volume]) mkdirSync(each);
      const engine = join(folder, "engine");
      const standIn = `#!/bin/sh
        case "$3" in
          node) echo copied > ${volume}/backup.sqlite ;;
          cat) cat ${volume}/backup.sqlite; exit ${endsWith} ;;
          rm) rm ${volume}/backup.sqlite ;;
        esac`;
      writeFileSync(engine, standIn, { mode: 0o700 });
      const env = { PATH: process.env.PATH, CONFIG: folder, ENGINE: engine, BACKUPS: backups };
      const words = ["-c", ". operations/container.sh; back_up offers.sqlite"];
      const { status } = spawnSync("bash", words, { cwd: repositoryRoot, env });
      expect({ status, inVolume: readdirSync(volume), files: readdirSync(backups) }).toEqual({
        status: endsWith,
        inVolume: [],
        files,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe.skipIf(process.platform === "win32")("what back_up leaves in the database", () => {
  test.each([
    { name: "that it went well", endsWith: 0, isGood: 1 },
    { name: "that it failed where the copy did not come out", endsWith: 1, isGood: 0 },
  ])(
    "is $name",
    ({ endsWith, isGood }) => {
      const folder = mkdtempSync(join(tmpdir(), "noted-"));
      try {
        const engine = join(folder, "engine");
        const standIn = `#!/bin/sh
        case "$3" in
          node) shift 3; exec ${process.execPath} $(echo "$@" | sed "s|/var/lib/offers|${folder}|") ;;
          cat) exit ${endsWith} ;;
        esac`;
        writeFileSync(engine, standIn, { mode: 0o700 });
        const env = {
          PATH: process.env.PATH,
          CONFIG: folder,
          ENGINE: engine,
          BACKUPS: folder,
          DATA_DIR: folder,
          DURABILITY: "relaxed",
        };
        const words = [
          "-ec",
          ". operations/container.sh; admin publisher create --name First; back_up night.sqlite",
        ];
        const { status } = spawnSync("bash", words, { cwd: repositoryRoot, env });
        expect(status).toBe(endsWith);
        const database = new Sqlite(join(folder, "offers.sqlite"), { readonly: true });
        const noted = database.prepare("select is_good from run_note where kind = 'backup'").pluck().all();
        database.close();
        expect(noted).toEqual([isGood]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    60_000,
  );
});

describe.skipIf(process.platform === "win32")("give, in the shell of the page on containers", () => {
  test("lays a file whole where a command within can read it, tells where, and gives it until it is taken", () => {
    const folder = mkdtempSync(join(tmpdir(), "give "));
    try {
      const engine = join(folder, "engine");
      const within = join(folder, "within");
      // Of an engine: what stands in the image's /tmp stands in a folder.
      const standIn = `#!/bin/sh
        for word; do shift; set -- "$@" "$(printf %s "$word" | sed "s|/tmp/given|${within}|g")"; done
        [ "$1" = exec ] && shift
        [ "$1" != --interactive ] || shift
        shift
        exec "$@"`;
      writeFileSync(engine, standIn, { mode: 0o700 });
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 256));
      writeFileSync(join(folder, "own list.mmdb"), bytes);
      const shell = (commands: string) =>
        spawnSync(
          "bash",
          ["-c", `ENGINE=./engine; . ${repositoryRoot}/operations/container.sh; ${commands}`],
          {
            cwd: folder,
            env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, CONFIG: folder },
            encoding: "utf8",
          },
        );
      expect(shell('give "own list.mmdb"')).toMatchObject({
        status: 0,
        stdout: "/tmp/given/own list.mmdb\n",
      });
      expect(readFileSync(join(within, "own list.mmdb")).equals(bytes)).toBe(true);
      expect(shell("give nothing")).toMatchObject({ status: 1, stdout: "" });
      expect(shell("taken").status).toBe(0);
      expect(existsSync(within)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe.skipIf(process.platform === "win32")("ready, in the shell of the page on containers", () => {
  test("tells every ten seconds what keeps the service from being ready, in the words of its start", () => {
    const why = "Cannot start: listen EADDRINUSE";
    const script = `. operations/container.sh
      at=1000
      sleep() { at=$((at + 5)); }
      date() { echo "$at"; }
      curl() { if [ "$1" = -sf ]; then [ "$at" -ge 1025 ]; else printf ' 000'; fi; }
      engine() { [ "$*" = "logs --since 1000 offers" ] && printf '{"level":30}\n${why}\n' >&2; }
      ENGINE=engine
      ready`;
    const env = { PATH: process.env.PATH, CONFIG: "/nowhere" };
    const { status, stderr } = spawnSync("sh", ["-euc", script], {
      cwd: repositoryRoot,
      env,
      encoding: "utf8",
    });
    const told = (seconds: number) => `not ready for ${seconds} s, /readyz:  000\n${why}\n`;
    expect({ status, stderr }).toEqual({ status: 0, stderr: told(10) + told(20) });
  });
});
