import { expect, test } from "vitest";
import { freePort, portsOf } from "./free-port.ts";

test("ports are none that the system hands out by itself, and each is another one", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  expect(new Set(ports).size).toBe(20);
  for (const port of ports) expect(port).toBeLessThan(32_768);
});

test.each(["VITEST_POOL_ID", "TEST_PARALLEL_INDEX"])("no two workers of a run share a port: %s", (name) => {
  const found = Array.from({ length: 24 }, (_, worker) => portsOf({ [name]: String(worker) }, 4711));
  const all = found.flatMap(({ firstPort, lastPort }) =>
    Array.from({ length: lastPort - firstPort + 1 }, (_, at) => firstPort + at),
  );
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(24 * 100);
  for (const port of all) expect(port).toBeLessThan(32_768);
});

test("the ports of this test are those of its worker", async () => {
  const { firstPort, lastPort } = portsOf(process.env, process.ppid);
  expect(lastPort - firstPort).toBeLessThan(1000);
  const port = await freePort();
  expect(port).toBeGreaterThanOrEqual(firstPort);
  expect(port).toBeLessThanOrEqual(lastPort);
});
