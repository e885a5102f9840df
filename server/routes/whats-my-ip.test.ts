import { whatsMyIpAnswer } from "@offers/contract/open";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { german } from "../testing/call.ts";
import { addressClaims } from "../testing/odd-claims.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const services: TestService[] = [];
beforeAll(async () => {
  for (const trustProxyHops of [0, 1, 2]) services.push(await startTestService({ trustProxyHops }));
});
afterAll(() => Promise.all(services.map((service) => service.close())));

const ask = async (hops: number, headers: Record<string, string | string[]>) => {
  const answer = await services[hops]?.call("/v1/whats-my-ip", { origin: null, from: null, headers });
  return whatsMyIpAnswer.strict().parse(answer?.json());
};

describe("GET /v1/whats-my-ip", () => {
  it("tells the caller's own address and place, and nothing else", async () => {
    const answer = await services[1]?.call("/v1/whats-my-ip", { from: german });
    expect(answer?.status).toBe(200);
    expect(answer?.json()).toEqual({
      ip: "203.0.113.7",
      country: "DE",
      region: "",
      eu: true,
      source: "geoip",
      geoData: { source: "fixed", date: "2026-11-01" },
      proxyHops: 1,
      unreadableHop: null,
    });
    expect(answer?.headers["cache-control"]).toBe("no-store");
  });

  it.each(addressClaims("198.51.100.7"))("believes no claim, at 0, 1 or 2 hops: %j", async (headers) => {
    for (const hops of [0, 1, 2]) {
      expect(await ask(hops, headers)).toMatchObject({
        ip: "127.0.0.1",
        country: "ZZ",
        source: "none",
        proxyHops: hops,
      });
    }
  });

  it.each([
    ["198.51.100.7, 203.0.113.7", ["127.0.0.1", "203.0.113.7", "198.51.100.7"]],
    ["8.8.8.8, 198.51.100.7, 203.0.113.7", ["127.0.0.1", "203.0.113.7", "198.51.100.7"]],
    ["203.0.113.7", ["127.0.0.1", "203.0.113.7", "203.0.113.7"]],
    ["nonsense, 203.0.113.7", ["127.0.0.1", "203.0.113.7", "203.0.113.7"]],
    ["198.51.100.7, ::ffff:203.0.113.7", ["127.0.0.1", "203.0.113.7", "198.51.100.7"]],
    ["198.51.100.7:443, 203.0.113.7:50001", ["127.0.0.1", "203.0.113.7", "198.51.100.7"]],
    ["[2001:db8:1::7]:443", ["127.0.0.1", "2001:db8:1::7", "2001:db8:1::7"]],
    ["2001:DB8:1:0:0::7", ["127.0.0.1", "2001:db8:1::7", "2001:db8:1::7"]],
  ])("counts the proxies of %j from the right", async (forwarded, expected) => {
    const seen = await Promise.all([0, 1, 2].map((hops) => ask(hops, { "X-Forwarded-For": forwarded })));
    expect(seen.map(({ ip }) => ip)).toEqual(expected);
  });

  it("takes several headers for one list, the last one last", async () => {
    const headers = { "X-Forwarded-For": ["198.51.100.7", "203.0.113.7"] };
    expect((await ask(1, headers)).ip).toBe("203.0.113.7");
    expect((await ask(2, headers)).ip).toBe("198.51.100.7");
  });

  it("names the trusted proxy that wrote no address, and the log does", async () => {
    const forwarded = { "X-Forwarded-For": "unknown, 203.0.113.7:443" };
    expect(await ask(0, forwarded)).toMatchObject({ ip: "127.0.0.1", unreadableHop: null });
    expect(await ask(1, forwarded)).toMatchObject({ ip: "203.0.113.7", unreadableHop: null });
    expect(await ask(2, forwarded)).toMatchObject({ ip: "203.0.113.7", unreadableHop: 2 });
    expect(services[2]?.warnings).toContainEqual(
      expect.objectContaining({ event: "forwarded_for_unreadable" }),
    );
  });

  it("is what the decision goes by too", async () => {
    const decision = await services[1]?.decide({ from: "203.0.113.7, 198.51.100.7" });
    expect(decision).toMatchObject({ country: "US", region: "NJ" });
    const direct = await services[0]?.decide({ from: "198.51.100.7" });
    expect(direct).toMatchObject({ country: "ZZ" });
  });
});
