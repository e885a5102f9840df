import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, it } from "vitest";
import { createLimitedServer } from "./server-limits.ts";

it("drops a client that sends its request too slowly, within seconds", async () => {
  const server = createLimitedServer((_req, res) => res.end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let received = "";
  socket.on("data", (data) => {
    received += data.toString();
  });
  const startedAt = performance.now();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
  // A header line now and then keeps a naive timeout from firing.
  const dripping = setInterval(() => socket.write("X-Drip: 1\r\n"), 500);
  socket.on("error", () => undefined);
  await once(socket, "close");
  clearInterval(dripping);
  expect(performance.now() - startedAt).toBeLessThan(13_000);
  expect(received).toMatch(/^HTTP\/1\.1 408/);
  server.close();
});

it("holds a bounded number of connections, each for a bounded number of requests", () => {
  const server = createLimitedServer();
  expect(server.maxConnections).toBeLessThanOrEqual(10_000);
  expect(server.maxRequestsPerSocket).toBe(1_000);
  expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([
    5_000, 10_000, 5_000,
  ]);
});
