import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { repositoryRoot } from "./program.ts";

const read = (file: string): string => readFileSync(join(repositoryRoot, "docs", file), "utf8");
const first = read("production.md");
/** The pages of the operations guide in their order: the first one, and those that its list names. */
export const pageNames: readonly string[] = [
  "production.md",
  ...[...first.matchAll(/^\d+\. \[[^\]]+\]\(([^)]+)\)/gm)].map(([, name = ""]) => name),
];
/** All of them, as they stand. */
export const page = pageNames.map(read).join("\n");
/** Their blocks of one language. */
export function blocksOf(kind: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, text = ""]) => text,
  );
}

/** The unit of systemd that the guide names. */
export const unit = readFileSync(join(repositoryRoot, "operations/offers.service"), "utf8");
/** What the guide's shell reads first. */
export const shell = readFileSync(join(repositoryRoot, "operations/shell.sh"), "utf8");
/** What nginx and Caddy are told. */
export const [nginx = ""] = blocksOf("nginx");
export const [caddy = ""] = blocksOf("caddy");

/** The value of a setting that the page gives to the service. */
export function setting(name: string): string {
  return new RegExp(`^${name}=(.*)$`, "m").exec(page)?.[1] ?? "";
}

/** What a proxy makes of the headers that it got from `client`, before it sends them on. */
export type Forward = (headers: IncomingHttpHeaders, client: string) => IncomingHttpHeaders;

/** As the page's `proxy_set_header` lines say, with nginx's own meaning of the variables. */
export const nginxForward: Forward = (headers, client) => {
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
export const caddyForward: Forward = (headers, client) => ({
  ...headers,
  "x-forwarded-for": client,
  "x-forwarded-proto": "https",
  "x-forwarded-host": headers.host ?? "",
});

/** A proxy on loopback in front of the service at that port, whichever it is just now; on any port unless one is named. */
export async function startProxy(
  servicePort: number | (() => number),
  forward: Forward,
  port = 0,
): Promise<Server> {
  const proxy = createServer((req, res) => {
    const headers = forward(req.headers, req.socket.remoteAddress ?? "");
    const onward = request({
      host: "127.0.0.1",
      port: typeof servicePort === "number" ? servicePort : servicePort(),
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
}

/** The port that a server listens at. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
