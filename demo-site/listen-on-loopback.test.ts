import { createServer } from "node:http";
import { expect, test } from "vitest";
import { listenOnLoopback, listenRefusal } from "./listen-on-loopback.ts";

test("both loopback addresses answer on one port, until the site is closed", async () => {
  const listening = await listenOnLoopback((_request, response) => response.end("here"), 0);
  if (!listening.ok) throw new Error(listening.reason);
  const { site } = listening;
  expect(site.addresses).toContain("127.0.0.1");
  for (const address of site.addresses) {
    const host = address.includes(":") ? `[${address}]` : address;
    expect(await (await fetch(`http://${host}:${site.port}/`)).text()).toBe("here");
  }
  await site.close();
  await expect(fetch(`http://127.0.0.1:${site.port}/`)).rejects.toThrow();
});

test("a taken port is told, and nothing stays open", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const bound = other.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  expect(await listenOnLoopback(() => {}, port)).toEqual({ ok: false, reason: "port_taken" });
  expect(await listenRefusal(port, "127.0.0.1")).toBe("port_taken");
  await new Promise((resolve) => other.close(resolve));
  expect(await listenRefusal(port, "127.0.0.1")).toBe(null);
});

test("an address of another machine is told as such", async () => {
  expect(await listenRefusal(0, "203.0.113.1")).toBe("no_such_address");
});
