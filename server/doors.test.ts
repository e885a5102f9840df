import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { closeDoors, openDoors } from "./doors.ts";

const callers: Socket[] = [];
afterEach(() => {
  for (const caller of callers.splice(0)) caller.destroy();
});

const openServer = async (port = 0) => {
  const taken = { sockets: 0 };
  const server = createServer((_req, res) => res.end("here"));
  server.on("connection", () => {
    taken.sockets += 1;
  });
  const address = await openDoors(server, { host: "127.0.0.1", port });
  const close = () => new Promise<void>((resolve) => closeDoors(server, resolve));
  return { server, address, taken, close };
};

const call = ({ port }: AddressInfo): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const caller = connect({ host: "127.0.0.1", port });
    callers.push(caller);
    caller.once("connect", () => resolve(caller)).once("error", reject);
  });

it.runIf(process.platform === "linux")(
  "takes many waiting connections in a turn of the event loop, where one socket takes one",
  async () => {
    const { address, taken, close } = await openServer();
    const calling = Promise.all(Array.from({ length: 200 }, () => call(address)));
    let most = 0;
    while (taken.sockets < 200) {
      const before = taken.sockets;
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, taken.sockets - before);
    }
    await calling;
    expect(most).toBeGreaterThan(8);
    for (const caller of callers) caller.destroy();
    await close();
  },
);

it("answers whoever comes in by any of them", async () => {
  const { address, close } = await openServer();
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => (await fetch(`http://127.0.0.1:${address.port}/`)).text()),
  );
  expect(new Set(answers)).toEqual(new Set(["here"]));
  await close();
});

it("is refused a port at which another listens", async () => {
  const { address, close } = await openServer();
  await expect(openServer(address.port)).rejects.toThrow("EADDRINUSE");
  await close();
});

it("takes nobody any more once they are closed, and is closed when the last who was in has gone", async () => {
  const { address, taken, close } = await openServer();
  const inside = await Promise.all(Array.from({ length: 50 }, () => call(address)));
  await expect.poll(() => taken.sockets).toBe(50);
  let isClosed = false;
  const closing = close().then(() => {
    isClosed = true;
  });
  await expect(call(address)).rejects.toThrow("ECONNREFUSED");
  for (const caller of inside.slice(1)) caller.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isClosed).toBe(false);
  inside[0]?.destroy();
  await closing;
});
