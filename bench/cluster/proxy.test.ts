import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type LoadBalancer, startProxy } from "./proxy.ts";

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const startNode = async (answer: RequestListener): Promise<{ url: string; server: Server }> => {
  const server = createServer((call, reply) => {
    if (call.url === "/readyz") reply.end();
    else answer(call, reply);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
};

const startBefore = async (...nodes: string[]): Promise<LoadBalancer> => {
  const proxy = await startProxy(nodes);
  open.unshift(() => proxy.close());
  return proxy;
};

test("calls go to the nodes in turn, and say whose they are", async () => {
  const seen: unknown[] = [];
  const nodes = await Promise.all(
    ["one", "two"].map((name) =>
      startNode((call, reply) => {
        seen.push([name, call.headers["x-forwarded-for"], call.headers.host]);
        reply.end(name);
      }),
    ),
  );
  const proxy = await startBefore(...nodes.map(({ url }) => url));
  const texts: string[] = [];
  for (let call = 0; call < 4; call += 1) {
    texts.push(
      await (
        await fetch(`${proxy.url}/v1/decision`, { headers: { "x-forwarded-for": "81.2.69.142" } })
      ).text(),
    );
  }
  expect(texts.toSorted()).toEqual(["one", "one", "two", "two"]);
  expect(seen).toContainEqual(["one", "81.2.69.142, 127.0.0.1", new URL(proxy.url).host]);
});

test("a call whose node breaks off is answered by another one, unless it has a body", async () => {
  let posts = 0;
  const breaking = await startNode((call, reply) => {
    if (call.method === "POST") posts += 1;
    reply.destroy();
  });
  const good = await startNode((_call, reply) => reply.end("good"));
  const proxy = await startBefore(breaking.url, good.url);
  expect(await (await fetch(proxy.url)).text()).toBe("good");
  const alone = await startBefore(breaking.url);
  const refused = await fetch(alone.url, { method: "POST", body: "once" });
  expect(refused.status).toBe(503);
  expect(posts).toBe(1);
});

test("without a node that is ready a call is refused with the time to try again", async () => {
  const node = await startNode((_call, reply) => reply.end());
  node.server.closeAllConnections();
  node.server.close();
  const proxy = await startBefore(node.url);
  const refused = await fetch(proxy.url);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
});
