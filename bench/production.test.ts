import { readFileSync } from "node:fs";
import { get, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  caddy,
  caddyForward,
  type Forward,
  nginx,
  nginxForward,
  page,
  portOf,
  setting,
  startProxy,
  unit,
} from "./production-page.ts";
import { repositoryRoot, type Service, startService } from "./service.ts";

describe("the page on production", () => {
  test("starts the process as npm run serve does, and leaves it time to stop", () => {
    const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    expect(/^ExecStart=\S*\/(node .*)$/m.exec(unit)?.[1]).toBe(scripts.serve);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(9.5);
    expect(/^UMask=(.*)$/m.exec(unit)?.[1]).toBe("0077");
    expect(/^LimitCORE=(.*)$/m.exec(unit)?.[1]).toBe("0");
    expect(/^ReadWritePaths=(.*)$/m.exec(unit)?.[1]).toBe("/var/lib/offers");
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
