import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../server/testing/free-port.ts";
import { caddy, nginx } from "../production-page.ts";
import { inheritedEnvironment } from "../program.ts";

/** A proxy's own program, told what the guide tells it, but for ports and places. */
export type RealProxy = {
  port: number;
  /** Where it sends those who come without TLS to the other one; null: nowhere. */
  plainPort: number | null;
  /** Where it finds what proves to whoever issues certificates that the name is ours; null: it answers that itself. */
  webroot: string | null;
  /** Has the process at that port take the calls. */
  front(port: number): Promise<void>;
  /** Reads what it is told anew, its certificate included. */
  reload(): Promise<void>;
  /** All that it has written, wherever that is. */
  log(): string;
  stop(): Promise<void>;
};

type ProxyPorts = { main: number; aside: number };

/** Whether a program is installed, and what makes certificates. */
export function hasProgram(name: string): boolean {
  return [name, "openssl"].every((program) => spawnSync("which", [program]).status === 0);
}

/** Makes a certificate of one's own, in the place of the one before. */
export function makeCertificate(directory: string): void {
  execFileSync(
    "openssl",
    [
      ...[
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
      ],
      ...["-subj", "/CN=offers.example", "-addext", "subjectAltName=DNS:offers.example"],
      ...["-keyout", join(directory, "key.pem"), "-out", join(directory, "cert.pem")],
    ],
    { stdio: "pipe" },
  );
}

export async function startNginx(directory: string, { main }: ProxyPorts): Promise<RealProxy> {
  const [port, plainPort] = [await freePort(), await freePort()];
  const upstream = join(directory, "offers.upstream");
  const write = (target: number) => writeFileSync(upstream, `server 127.0.0.1:${target};\n`);
  write(main);
  const told = nginx
    .replaceAll(/^.*listen \[::\].*\n/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`)
    .replace("/etc/nginx/offers.upstream", upstream)
    .replaceAll("/var/log/nginx", directory)
    .replace("/var/www/offers", join(directory, "www"))
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${directory}/cert.pem;`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${directory}/key.pem;`);
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temp = kinds.map((kind) => `${kind}_temp_path ${directory}/${kind};`);
  // What it keeps of a large body lies in a folder of whoever runs this.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const file = join(directory, "nginx.conf");
  // As distributions have it: whoever does not say otherwise is logged.
  const logs = ["access.log", "error.log"].map((name) => join(directory, name));
  writeFileSync(
    file,
    `${user} daemon off; worker_processes 2; pid ${directory}/nginx.pid; error_log stderr warn;
events { worker_connections 1024; }
http { ${temp.join(" ")} access_log ${logs[0]};
${told}
}
`,
  );
  const running = start("nginx", ["-p", directory, "-c", file], directory);
  await running.until(port);
  // Its first process goes on; what it starts anew takes all new connections.
  const reload = async (): Promise<void> => {
    running.child.kill("SIGHUP");
    await pause(200);
  };
  const logged = () => logs.map((log) => (existsSync(log) ? readFileSync(log, "utf8") : ""));
  return {
    port,
    plainPort,
    webroot: join(directory, "www"),
    front: async (target) => {
      write(target);
      await reload();
    },
    reload,
    log: () => [running.log(), ...logged()].join("\n"),
    stop: running.stop,
  };
}

export async function startCaddy(directory: string, ports: ProxyPorts): Promise<RealProxy> {
  const [port, admin] = [await freePort(), await freePort()];
  const file = join(directory, "Caddyfile");
  const told = caddy
    .replaceAll("127.0.0.1:8787", `127.0.0.1:${ports.main}`)
    .replaceAll("127.0.0.1:8788", `127.0.0.1:${ports.aside}`)
    .replace(
      "offers.example {",
      `https://offers.example:${port} {\n\tbind 127.0.0.1\n\ttls ${directory}/cert.pem ${directory}/key.pem`,
    );
  const own = `{\n\tadmin 127.0.0.1:${admin}\n\tauto_https disable_redirects`;
  writeFileSync(file, told.replace("{", own));
  const words = ["--config", file, "--adapter", "caddyfile"];
  const running = start("caddy", ["run", ...words], directory);
  await running.until(port);
  return {
    port,
    plainPort: null,
    webroot: null,
    // It asks both processes by itself, each second.
    front: () => pause(3000),
    reload: async () => {
      const address = ["--address", `127.0.0.1:${admin}`, "--force"];
      execFileSync("caddy", ["reload", ...words, ...address], {
        stdio: "pipe",
        env: environmentIn(directory),
      });
    },
    log: running.log,
    stop: running.stop,
  };
}

/** What its own files are called by, apart from those of whoever runs the tests. */
const environmentIn = (directory: string) => ({
  ...inheritedEnvironment(),
  HOME: directory,
  XDG_DATA_HOME: directory,
  XDG_CONFIG_HOME: directory,
});

const start = (program: string, words: readonly string[], directory: string) => {
  const child: ChildProcess = spawn(program, words, {
    env: environmentIn(directory),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
  const until = async (port: number): Promise<void> => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if (child.exitCode !== null) throw new Error(`${program} ended at once: ${said}`);
      if (listens(port)) return;
      await pause(50);
    }
    throw new Error(`${program} does not listen: ${said}`);
  };
  return { child, until, log: () => said, stop };
};

type Socket = { port: number; state: string };

/** TCP over IPv4 as the system has it (`/proc/net/tcp`): the local port, and `0A` for one that listens. */
const sockets = (): Socket[] =>
  readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .slice(1)
    .map((line) => / \w+:(\w{4}) \w+:\w{4} (\w{2}) /.exec(line))
    .flatMap((found) =>
      found === null ? [] : [{ port: Number.parseInt(found[1] ?? "", 16), state: found[2] ?? "" }],
    );

const listens = (port: number): boolean =>
  sockets().some((socket) => socket.port === port && socket.state === "0A");

/** How many connections a port has, or had within the last minute. */
export function connectionsOf(port: number): number {
  return sockets().filter((socket) => socket.port === port && socket.state !== "0A").length;
}
