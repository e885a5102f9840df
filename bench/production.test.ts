import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { get, type IncomingMessage, type Server } from "node:http";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { anchorsOf } from "./anchors.ts";
import {
  caddy,
  caddyForward,
  type Forward,
  nginx,
  nginxForward,
  page,
  pageNames,
  portOf,
  setting,
  shell,
  startProxy,
  unit,
} from "./production-page.ts";
import { repositoryRoot } from "./program.ts";
import { type Service, startService } from "./service.ts";

/** What a name of the guide's shell is unless it was set before. */
const placeOf = (name: string): string | undefined =>
  new RegExp(`^${name}=\\$\\{${name}:-(.*)\\}$`, "m").exec(shell)?.[1];

describe("the unit that the page on production names", () => {
  const valuesOf = (name: string): string[] =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));

  test("starts the process as npm run serve does, and leaves it time to stop", () => {
    expect(/^ExecStart=\S*\/(node .*)$/m.exec(unit)?.[1]).toBe(scripts.serve);
    expect(Number(valuesOf("TimeoutStopSec")[0])).toBeGreaterThan(9.5);
    expect(valuesOf("Restart")).toEqual(["always"]);
  });

  test.skipIf(process.platform !== "linux")("has no signal that opens Node's debugger", () => {
    const flags = (/ node (.*) \S+$/.exec(` ${scripts.serve}`)?.[1] ?? "").split(" ");
    const told = "require('node:fs').readFileSync('/proc/self/status', 'utf8')";
    const caught = (given: string[]): boolean => {
      const status = execFileSync(process.execPath, [...given, "-p", told], {
        cwd: repositoryRoot,
        encoding: "utf8",
      });
      const signals = BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1]}`);
      return (signals & (1n << BigInt(constants.signals.SIGUSR1 - 1))) !== 0n;
    };
    expect([caught([]), caught(flags)]).toEqual([true, false]);
  });

  test("lets it write in its data directory alone, readable by nobody else", () => {
    expect(placeOf("DATA_DIR")).toBe(`/var/lib/${valuesOf("StateDirectory")[0]}`);
    expect(valuesOf("StateDirectoryMode")).toEqual(["0700"]);
    expect(valuesOf("ReadWritePaths")).toEqual([]);
    expect(valuesOf("ProtectSystem")).toEqual(["strict"]);
    expect(valuesOf("UMask")).toEqual(["0077"]);
    expect(valuesOf("LimitCORE")).toEqual(["0"]);
  });

  test("is copied as it stands but for the places that are not the guide's, from wherever the shell is", () => {
    const folder = mkdtempSync(join(tmpdir(), "copied-"));
    try {
      const script = `. "$PROGRAM/operations/shell.sh"; systemctl() { :; }; units`;
      const env = { PATH: process.env.PATH, PROGRAM: repositoryRoot, CONFIG: folder, UNITS: folder };
      expect(spawnSync("sh", ["-ec", script], { cwd: folder, env, encoding: "utf8" }).stderr).toBe("");
      for (const name of ["offers.service", "offers-backup.service", "offers-backup.timer"])
        expect(readFileSync(join(folder, name), "utf8"), name).toBe(
          readFileSync(join(repositoryRoot, "operations", name), "utf8")
            .replaceAll("/opt/offers", repositoryRoot)
            .replaceAll("/etc/offers", folder),
        );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("has a call that is kept from it fail, and not end the process: so has the unit of the backup", () => {
    for (const name of ["offers", "offers-backup"]) {
      const text = readFileSync(join(repositoryRoot, `operations/${name}.service`), "utf8");
      expect(text, name).toMatch(/^SystemCallFilter=@system-service$/m);
      expect(text, name).toMatch(/^SystemCallErrorNumber=EPERM$/m);
    }
  });

  test.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)(
    "is understood by systemd, and leaves little open",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "unit-"));
      try {
        const files = ["offers.service", "offers-backup.service", "offers-backup.timer"].map((name) => {
          const text = readFileSync(join(repositoryRoot, "operations", name), "utf8");
          // systemd looks whether the program is there, and here it stands elsewhere.
          writeFileSync(join(folder, name), text.replaceAll("/opt/offers", repositoryRoot));
          return join(folder, name);
        });
        const verified = spawnSync("systemd-analyze", ["verify", ...files], { encoding: "utf8" });
        expect(
          verified.stderr.split("\n").filter((line) => line.includes(folder) || /^offers/.test(line)),
        ).toEqual([]);
        for (const file of files.filter((name) => name.endsWith(".service"))) {
          const words = ["security", "--offline=yes", "--no-pager", file];
          const { stdout } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
          expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]), stdout).toBeLessThanOrEqual(2);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});

describe("the guide of operations", () => {
  test.skipIf(process.platform === "win32").each([
    ["", "127.0.0.1"],
    ["HOST=0.0.0.0\n", "127.0.0.1"],
    ["HOST=::\n", "127.0.0.1"],
    ["HOST=10.0.0.5\n", "10.0.0.5"],
    ["HOST=fd00::5\n", "[fd00::5]"],
  ])("asks the service, and has nginx call it, where its settings have it listen: %j", (settings, host) => {
    const folder = mkdtempSync(join(tmpdir(), "listens-"));
    try {
      writeFileSync(join(folder, "env"), settings);
      const script = `. "$PROGRAM/operations/shell.sh"; systemctl() { :; }; curl() { echo "$2"; }
        ready; ready 8788; : > "$UPSTREAM"; front 8788; cat "$UPSTREAM"`;
      const env = {
        PATH: process.env.PATH,
        HOST: "the-machine",
        PROGRAM: repositoryRoot,
        CONFIG: folder,
        UPSTREAM: join(folder, "upstream"),
      };
      const { stdout } = spawnSync("sh", ["-ec", script], { env, encoding: "utf8" });
      expect(stdout.split("\n").filter((line) => line !== "")).toEqual([
        `http://${host}:8787/readyz`,
        `http://${host}:8788/readyz`,
        `server ${host}:8788;`,
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.skipIf(process.platform === "win32")(
    "tells every ten seconds what keeps the service from being ready, in the words of its start",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "waits-"));
      try {
        const refused = { PATH: process.env.PATH, DATA_DIR: folder, RETENTION_DAYS: "5" };
        const words = { cwd: repositoryRoot, env: refused, encoding: "utf8" } as const;
        const { stderr: why } = spawnSync(process.execPath, ["server/main.ts"], words);
        expect(why).toMatch(/^Cannot start: .*RETENTION_DAYS .*\n$/);
        writeFileSync(
          join(folder, "log"),
          `{"level":40,"event":"location_data_old"}\n${why}offers.service: Failed\n`,
        );
        const script = `. "$PROGRAM/operations/shell.sh"
          at=1000
          sleep() { at=$((at + 5)); }
          date() { echo "$at"; }
          curl() { if [ "$1" = -sf ]; then [ "$at" -ge 1025 ]; else printf '{"status":"starting"} 503'; fi; }
          journalctl() { case "$*" in *"-u offers -u offers-aside "*--since=@1000) cat "$CONFIG/log" ;; esac; }
          ready`;
        const env = { PATH: process.env.PATH, PROGRAM: repositoryRoot, CONFIG: folder };
        const { stderr, status } = spawnSync("sh", ["-euc", script], { env, encoding: "utf8" });
        const told = (seconds: number) =>
          `not ready for ${seconds} s, /readyz: {"status":"starting"} 503\n${why}`;
        expect({ status, stderr }).toEqual({ status: 0, stderr: told(10) + told(20) });
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  test("has the unit run the program where it stands, and read the settings that it writes", () => {
    expect(unit).toContain(`\nWorkingDirectory=${placeOf("PROGRAM")}\n`);
    expect(unit).toContain(`\nEnvironmentFile=${placeOf("CONFIG")}/env\n`);
  });

  test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
    "writes what is restored, and reads what is named by nobody, as the service's user, who may have laid a link there",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "restored-"));
      try {
        const data = join(folder, "data");
        const copy = join(folder, "copy.sqlite");
        const other = join(folder, "other");
        mkdirSync(data);
        chmodSync(folder, 0o755);
        writeFileSync(copy, "the copy", { mode: 0o600 });
        writeFileSync(other, "root's", { mode: 0o600 });
        writeFileSync(join(data, "offers.sqlite"), "the database");
        symlinkSync(other, join(data, "restored.partial"));
        const backups = join(folder, "backups");
        mkdirSync(backups);
        symlinkSync(other, join(backups, "newest.sqlite"));
        const script = `. "$PROGRAM/operations/shell.sh"; systemctl() { :; }; ready() { :; }; front() { :; }
          admin() { :; }
          as_offers() { (umask 077 && exec runuser -u nobody -- "$@"); }
          chown -h nobody "$DATA_DIR" "$DATA_DIR"/*
          ! restore "$1" && ! restore && restore "$1"`;
        const env = {
          PATH: process.env.PATH,
          PROGRAM: repositoryRoot,
          CONFIG: folder,
          DATA_DIR: data,
          BACKUPS: backups,
        };
        const cwd = join(folder, "roots");
        mkdirSync(cwd, { mode: 0o700 });
        const words = ["-c", script, "bash", copy];
        const { status, stderr } = spawnSync("bash", words, { cwd, env, encoding: "utf8" });
        expect(status, stderr).toBe(0);
        expect(readFileSync(other, "utf8")).toBe("root's");
        expect(statSync(other).uid).toBe(0);
        expect(readFileSync(join(data, "offers.sqlite"), "utf8")).toBe("the copy");
        expect(statSync(join(data, "offers.sqlite")).mode & 0o777).toBe(0o600);
        expect(statSync(join(data, "offers.sqlite")).uid).toBe(statSync(data).uid);
        expect(readdirSync(data).toSorted()).toEqual([
          "offers.sqlite",
          expect.stringMatching(/^replaced-\d+$/),
        ]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  test.each([
    ["the first release", "production.md", /ln -sT/],
    ["another one", "operations/upgrades.md", /admin backup/],
  ])("makes %s so that the service's user can read it, whatever root's umask is", (_, name, end) => {
    const folder = mkdtempSync(join(tmpdir(), "umask-"));
    try {
      const text = readFileSync(join(repositoryRoot, "docs", name), "utf8");
      const [, block = ""] =
        [...text.matchAll(/```sh\n([\s\S]*?)```/g)].find(([, one]) => one?.includes("npm ci")) ?? [];
      const making = block.slice(0, block.search(end)).trimEnd().replace(/&&$/, "");
      const program = join(folder, "offers");
      const script = `umask 077
        git() { [ "$1" = -C ] || { mkdir -p "$5/server" && echo main > "$5/server/main.ts"; }; }
        npm() { mkdir -p node_modules/bin && echo > node_modules/bin/node && chmod u+x node_modules/bin/node; }
        ${making}`;
      const env = { PATH: process.env.PATH, PROGRAM: program, SOURCE: "origin" };
      const { status, stderr } = spawnSync("bash", ["-c", script], { env, encoding: "utf8" });
      expect(status, stderr).toBe(0);
      const [, release = ""] = readdirSync(folder)[0]?.split("offers-") ?? [];
      const modeOf = (file: string) => statSync(join(`${program}-${release}`, file)).mode & 0o777;
      expect([".", "server", "server/main.ts", "node_modules/bin/node"].map(modeOf)).toEqual([
        0o755, 0o755, 0o644, 0o755,
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("is one guide of pages that are short enough to be read, and whose links lead somewhere", () => {
    expect(pageNames.length).toBeGreaterThan(5);
    const others = readdirSync(join(repositoryRoot, "docs")).filter((name) => name.endsWith(".md"));
    for (const name of new Set([...pageNames, ...others])) {
      const file = join(repositoryRoot, "docs", name);
      const text = readFileSync(file, "utf8");
      if (pageNames.includes(name)) expect(text.split("\n").length, name).toBeLessThan(300);
      for (const [, target = ""] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
        const [path = "", anchor] = target.split("#");
        const other = path === "" ? file : join(dirname(file), path);
        expect(existsSync(other), `${name} leads to ${target}`).toBe(true);
        if (anchor === undefined || !other.endsWith(".md")) continue;
        expect(anchorsOf(readFileSync(other, "utf8")), `${name} leads to ${target}`).toContain(anchor);
      }
    }
  });
});

describe.skipIf(process.platform !== "linux")(
  "the proxies of the page and the service's settings agree",
  () => {
    let service: Service;
    const proxies: Server[] = [];
    beforeAll(async () => {
      service = await startService({ environment: { TRUST_PROXY_HOPS: setting("TRUST_PROXY_HOPS") } });
    }, 30_000);
    afterEach(() => {
      for (const proxy of proxies.splice(0)) proxy.close();
    });
    afterAll(() => service.stop());

    /** What the service says of a client at `from` that calls through the proxies, the outermost first. */
    const whoIs = async (from: string, headers: Record<string, string>, ...outermostFirst: Forward[]) => {
      let port = Number(new URL(service.url).port);
      for (const forward of outermostFirst.toReversed()) {
        const proxy = await startProxy(port, forward);
        proxies.push(proxy);
        port = portOf(proxy);
      }
      const options = {
        host: "127.0.0.1",
        port,
        path: "/v1/whats-my-ip",
        localAddress: from,
        headers,
        agent: false,
      };
      const answer = await new Promise<IncomingMessage>((resolve, reject) =>
        get(options, resolve).on("error", reject),
      );
      let text = "";
      for await (const chunk of answer) text += chunk;
      return JSON.parse(text) as { ip: string; unreadableHop: number | null };
    };

    test.each([
      ["nginx", nginxForward],
      ["Caddy", caddyForward],
    ])("through %s the client is who connects to it, whatever it writes itself", async (_, forward) => {
      for (const forged of [
        {},
        { "X-Forwarded-For": "203.0.113.9" },
        { "X-Forwarded-For": "203.0.113.9, nonsense" },
      ]) {
        const seen = await whoIs("127.0.0.3", forged as Record<string, string>, forward);
        expect(seen.ip).toBe("127.0.0.3");
        expect(seen.unreadableHop).toBeNull();
      }
    });

    test("behind a content delivery network nginx appends, and two hops name the visitor", async () => {
      const two = await startService({ environment: { TRUST_PROXY_HOPS: "2" } });
      const one = service;
      try {
        service = two;
        const seen = await whoIs(
          "127.0.0.4",
          { "X-Forwarded-For": "203.0.113.9" },
          nginxForward,
          nginxForward,
        );
        expect(seen.ip).toBe("127.0.0.4");
      } finally {
        service = one;
        await two.stop();
      }
    });

    test("both give up an idle connection before the service does, and nginx a long one", async () => {
      const { headers } = await fetch(`${service.url}/healthz`);
      const seconds = Number(/timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1]);
      const requests = Number(/max=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1] ?? 1000);
      const idle = [/keepalive_timeout (\d+)s;/.exec(nginx), /keepalive (\d+)s/.exec(caddy)].map((found) =>
        Number(found?.[1]),
      );
      // Nobody can tell Google's load balancers to give one up sooner than that.
      idle.push(600);
      for (const given of idle) expect(given).toBeLessThan(seconds);
      expect(Number(/keepalive_requests (\d+);/.exec(nginx)?.[1])).toBeLessThan(requests);
    });

    test("nginx logs no call at either of its ports", () => {
      const servers = nginx.split(/^server \{$/m).slice(1);
      expect(servers).toHaveLength(2);
      for (const server of servers) {
        expect(server).toMatch(/^ +access_log off;$/m);
        expect(server).toMatch(/^ +error_log \S+ crit;$/m);
      }
    });

    test("nginx answers without TLS nothing but what proves the name to whoever issues certificates", () => {
      const [, plain = ""] = nginx.split(/^server \{$/m);
      expect(plain).toMatch(/location \/\.well-known\/acme-challenge\/ \{\s+root \/var\/www\/offers;\s+\}/);
      expect(plain).toMatch(/location \/ \{\s+return 308 [^}]*\}\s+\}\s*$/);
      expect(page).toContain("certbot certonly --webroot --webroot-path /var/www/offers ");
    });

    test("both send to the port that the service has by default", () => {
      expect(nginx).toContain(`include ${placeOf("UPSTREAM")};`);
      expect(page).toContain('front "$PORT"');
      expect(caddy).toContain(
        `reverse_proxy 127.0.0.1:${placeOf("PORT")} 127.0.0.1:${placeOf("ASIDE_PORT")} {`,
      );
    });
  },
);
