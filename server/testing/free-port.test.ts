import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

test("ports are none that the system hands out by itself, and each is another one", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  expect(new Set(ports).size).toBe(20);
  for (const port of ports) expect(port).toBeLessThan(32_768);
});
