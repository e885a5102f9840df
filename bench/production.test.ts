import { existsSync, readFileSync } from "node:fs";
import { get, type IncomingMessage, type Server } from "node:http";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
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
  startProxy,
  unit,
  unitAside,
} from "./production-page.ts";
import { repositoryRoot, type Service, startService } from "./service.ts";

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

describe("the page on production", () => {
  test("starts the process as npm run serve does, and leaves it time to stop", () => {
    const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    expect(/^ExecStart=\S*\/(node .*)$/m.exec(unit)?.[1]).toBe(scripts.serve);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(9.5);
    expect(/^UMask=(.*)$/m.exec(unit)?.[1]).toBe("0077");
    expect(/^LimitCORE=(.*)$/m.exec(unit)?.[1]).toBe("0");
    expect(/^ReadWritePaths=(.*)$/m.exec(unit)?.[1]).toBe("/var/lib/offers");
  });

  test("lets the second process read what the first one reads, and its port after that", () => {
    const files = [unit, unitAside].map((text) => /^EnvironmentFile=(.*)$/m.exec(text)?.[1]);
    expect(files).toEqual(["/etc/offers/env", "/etc/offers/aside"]);
    expect(page).toContain('echo "PORT=$ASIDE_PORT" > "$CONFIG/aside"');
  });

  test("is one guide of pages that are short enough to be read, and whose links lead somewhere", () => {
    expect(pageNames.length).toBeGreaterThan(5);
    for (const name of [...pageNames, "postgresql.md", "partners.md", "scale.md", "embed.md", "guide.md"]) {
      const file = join(repositoryRoot, "docs", name);
      const text = readFileSync(file, "utf8");
      if (pageNames.includes(name)) expect(text.split("\n").length, name).toBeLessThan(300);
      for (const [, target = ""] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
        const [path = "", anchor] = target.split("#");
        const other = path === "" ? file : join(dirname(file), path);
        expect(existsSync(other), `${name} leads to ${target}`).toBe(true);
        if (anchor === undefined || !other.endsWith(".md")) continue;
        const anchors = [...readFileSync(other, "utf8").matchAll(/^#+ (.*)$|<a id="([^"]+)">/gm)].map(
          ([, heading, id]) => id ?? anchorOf(heading ?? ""),
        );
        expect(anchors, `${name} leads to ${target}`).toContain(anchor);
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

    test("both send to the port that the service has by default", () => {
      const port = /^PORT=\$\{PORT:-(\d+)\}/m.exec(page)?.[1];
      const aside = /^ASIDE_PORT=\$\{ASIDE_PORT:-(\d+)\}/m.exec(page)?.[1];
      const file = /^UPSTREAM=\$\{UPSTREAM:-(.*)\}$/m.exec(page)?.[1];
      expect(nginx).toContain(`include ${file};`);
      expect(page).toContain('front "$PORT"');
      expect(caddy).toContain(`reverse_proxy 127.0.0.1:${port} 127.0.0.1:${aside} {`);
    });
  },
);
