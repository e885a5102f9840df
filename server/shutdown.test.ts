import { once } from "node:events";
import { Agent, createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { stopServing } from "./shutdown.ts";
import { call } from "./testing/call.ts";

it("lets what is under way finish, and does not wait for idle connections", async () => {
  const held: ServerResponse[] = [];
  const server = createServer((req, res) => (req.url === "/slow" ? held.push(res) : res.end("quick")));
  // Longer than the test may take: only the sweep can close an idle connection in time.
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: true });
  expect((await call(`${url}/quick`, {}, agent)).text).toBe("quick");
  const slow = call(`${url}/slow`, {}, agent);
  await expect.poll(() => held.length).toBe(1);

  let isStopped = false;
  const stopping = stopServing(server, { isNoticed: false }).then(() => {
    isStopped = true;
  });
  await expect
    .poll(() => call(`${url}/quick`).catch((error: NodeJS.ErrnoException) => error.code))
    .toBe("ECONNREFUSED");
  expect(isStopped).toBe(false);
  held[0]?.end("finished");
  expect((await slow).text).toBe("finished");
  await stopping;
  agent.destroy();
});

it("has nothing to do for a server that never listened", async () => {
  await expect(stopServing(createServer(), { isNoticed: true })).resolves.toBeUndefined();
});
