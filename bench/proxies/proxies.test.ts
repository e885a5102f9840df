import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueKey } from "../api-key.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue, planOffer } from "../catalogue.ts";
import { holdWriteLock } from "../lock.ts";
import { type Callers, startCallers } from "../rotation/callers.ts";
import { newSecret } from "../rotation/nodes.ts";
import { newPerson } from "../rotation/person.ts";
import { type Service, startService } from "../service.ts";
import { followLink, visitorAt, visitPage } from "../visitor.ts";
import {
  connectionsOf,
  hasProgram,
  makeCertificate,
  type RealProxy,
  startCaddy,
  startNginx,
} from "./real-proxies.ts";
import { openTlsClient, type TlsClient } from "./tls-client.ts";

const portOf = ({ url }: Service): number => Number(new URL(url).port);

describe.each([
  ["nginx", startNginx],
  ["caddy", startCaddy],
] as const)("%s, told what the guide says", (name, startProxy) => {
  const isThere = process.platform === "linux" && hasProgram(name);
  if (!isThere) process.stderr.write(`${name} is not installed: it is not tried\n`);

  describe.skipIf(!isThere)("in front of two processes", () => {
    const directory = mkdtempSync(join(tmpdir(), `${name}-`));
    const first = newSecret();
    let [main, aside]: [Service | null, Service | null] = [null, null];
    let proxy: RealProxy;
    let website: MadeWebsite;
    let client: TlsClient;
    let callers: Callers | null = null;
    const warnings: string[] = [];
    const onOutput = (text: string): void => {
      warnings.push(...text.split("\n").filter((line) => /"level":[4-9]0/.test(line)));
    };

    beforeAll(async () => {
      makeCertificate(directory);
      const baseUrl = "https://offers.example";
      const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000", TOKEN_SECRET: first };
      main = await startService({ environment, baseUrl, onOutput });
      aside = await startService({ environment, baseUrl, dataDir: main.dataDir, onOutput });
      await aside.terminate();
      const made = await makeCatalogue(main, {
        websites: [{ name: "Proxies", origins: ["https://proxies.example"], geo: everybodyBlocked }],
        offers: ["Anchor", "Buoy"].map((brand) => planOffer(brand, 1000)),
      });
      website = made.websites[0] as MadeWebsite;
      proxy = await startProxy(directory, { main: portOf(main), aside: portOf(aside) });
      client = openTlsClient(proxy.port);
      while ((await client.get("/readyz").catch(() => null))?.status !== 200) await pause(50);
    }, 60_000);
    afterAll(async () => {
      await callers?.stop();
      client?.close();
      await proxy?.stop();
      await aside?.stop();
      await main?.stop();
      rmSync(directory, { recursive: true, force: true });
    }, 30_000);

    /** As the guide's `change_over` does it. */
    const changeOver = async (changed: Record<string, string>): Promise<void> => {
      if (main === null || aside === null) throw new Error("no service runs");
      await aside.start(changed);
      await proxy.front(portOf(aside));
      expect(await main.terminate()).toBe(0);
      await main.start(changed);
      await proxy.front(portOf(main));
      expect(await aside.terminate()).toBe(0);
    };

    test("says who has called, whatever they write themselves", async () => {
      const from = openTlsClient(proxy.port, "127.0.0.3");
      try {
        for (const forged of [
          {},
          { "x-forwarded-for": "203.0.113.9" },
          { "x-forwarded-for": "nonsense, 1.1.1.1" },
        ]) {
          const { body } = await from.get("/v1/whats-my-ip", forged as Record<string, string>);
          expect(JSON.parse(body)).toMatchObject({ ip: "127.0.0.3", unreadableHop: null });
        }
      } finally {
        from.close();
      }
    });

    test("takes a file of offers that is nearly as large as the dashboard takes", async () => {
      const service = main as Service;
      const [publisher] = await service.admin<{ publisherId: string }[]>("publisher", "list");
      const { cookie } = await newPerson(service, service.url, publisher?.publisherId ?? "");
      const path = "/dash/api/operator/offer-file";
      const { body: list } = await client.get(`${path}?format=json`, { cookie });
      const text = list + " ".repeat(7.9 * 1024 * 1024 - list.length);
      const headers = { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" };
      const answer = await client.post(
        path,
        JSON.stringify({ format: "json", text, isDryRun: true }),
        headers,
      );
      expect(answer.status, answer.body.slice(0, 500)).toBe(200);
    });

    test("speaks HTTP/2 with browsers", async () => {
      expect(await client.protocol()).toBe("h2");
    });

    test("keeps its connections to the service", async () => {
      const port = portOf(main as Service);
      const before = connectionsOf(port);
      for (let call = 0; call < 200; call += 1) expect((await client.get("/healthz")).status).toBe(200);
      expect(connectionsOf(port) - before).toBeLessThan(20);
    });

    test("sends a click's visitor on while nothing can be stored", async () => {
      const service = main as Service;
      const visitor = visitorAt(1, website);
      const { offers } = await visitPage(client, website, visitor);
      const holder = await holdWriteLock(await service.databaseFile(), 60_000);
      try {
        const isReady = async () => (await fetch(`${service.url}/readyz`)).ok;
        while (await isReady()) await visitPage(client, website, visitor).catch(() => undefined);
        // The proxy looks each second.
        await pause(2000);
        const hop = await followLink(client, visitor, offers[0]?.url ?? "");
        expect(hop.status).toBe(302);
        expect((await client.get("/v1/whats-my-ip")).status).toBe(200);
      } finally {
        holder.end();
        await holder.released;
      }
      while ((await client.get("/readyz")).status !== 200) await pause(50);
    }, 60_000);

    test("writes down neither who has called nor what for, also while nobody answers behind it", async () => {
      const service = main as Service;
      const from = openTlsClient(proxy.port, "127.0.0.3");
      const link = "/v1/r?t=not-for-any-log";
      try {
        if (proxy.plainPort !== null) {
          const plain = await fetch(`http://127.0.0.1:${proxy.plainPort}${link}`, { redirect: "manual" });
          expect(plain.status).toBe(308);
        }
        expect((await from.get(link)).status).toBe(400);
        expect(await service.terminate()).toBe(0);
        expect((await from.get(link)).status).toBeGreaterThanOrEqual(502);
      } finally {
        from.close();
        await service.start();
      }
      while ((await client.get("/readyz")).status !== 200) await pause(50);
      expect(proxy.log()).not.toMatch(/not-for-any-log|127\.0\.0\.3/);
    }, 30_000);

    test("lets a certificate be asked for without TLS, and sends everything else there to TLS", async () => {
      const { plainPort, webroot } = proxy;
      if (plainPort === null || webroot === null) return;
      const folder = "/.well-known/acme-challenge";
      mkdirSync(join(webroot, folder), { recursive: true });
      writeFileSync(join(webroot, folder, "token"), "the proof");
      const plain = (path: string) =>
        fetch(`http://127.0.0.1:${plainPort}${path}`, { redirect: "manual" }).then(async (answer) => ({
          status: answer.status,
          text: await answer.text(),
        }));
      expect(await plain(`${folder}/token`)).toEqual({ status: 200, text: "the proof" });
      expect(await plain(`${folder}/other`)).toMatchObject({ status: 404 });
      for (const path of ["/", "/v1/r?t=x", "/.well-known/acme-challenger"])
        expect((await plain(path)).status, path).toBe(308);
    });

    test("loses no call while its certificate, the token secret and both processes are replaced", async () => {
      const { authorization } = await issueKey(main as Service);
      const { secret } = await (main as Service).admin<{ secret: string }>(
        ...["secret", "create", "--website", website.websiteKey],
      );
      await expect
        .poll(async () => (await client.get("/v1/offers?pageSize=1", { authorization })).status)
        .toBe(200);
      await pause(2000);
      callers = startCallers(
        client,
        website,
        {
          apiKey: authorization.replace("Bearer ", ""),
          integrationSecret: secret,
          partner: { clientId: "", clientSecret: "", refreshToken: "" },
          cookie: "",
        },
        ["visit", "key", "decline"],
      );
      await pause(1500);
      const before = await client.certificate();
      makeCertificate(directory);
      await proxy.reload();
      await expect.poll(() => client.certificate()).not.toBe(before);

      const next = newSecret();
      await changeOver({ TOKEN_SECRET_PREVIOUS: next });
      await changeOver({ TOKEN_SECRET: next, TOKEN_SECRET_PREVIOUS: first });
      await pause(1500);
      await callers.stop();
      expect(callers.failed.slice(0, 5), warnings.join("\n")).toEqual([]);
      for (const kind of ["impression", "hop", "key", "trigger"]) {
        expect(callers.good[kind] ?? 0, kind).toBeGreaterThan(20);
      }
      expect(proxy.log()).not.toMatch(/\[(crit|alert|emerg)\]/);
    }, 120_000);
  });
});
