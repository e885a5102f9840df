import { createServer, type Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createPool, type Pool } from "./pool.ts";

let server: Server;
let pool: Pool;
/** Calls by the connection that brought them. */
let calls: number[];

/** Answers the first call of each connection, and ends the connection so long after its second one. */
const listen = async (endsAfterMs: number): Promise<void> => {
  let connections = 0;
  calls = [];
  server = createServer((socket) => {
    connections += 1;
    const own = connections;
    socket.on("error", () => undefined);
    socket.on("data", async () => {
      calls.push(own);
      if (calls.filter((one) => one === own).length === 1) {
        socket.write("HTTP/1.1 204 No Content\r\n\r\n");
        return;
      }
      await pause(endsAfterMs);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  pool = createPool({ host: "127.0.0.1", port: address.port }, 1);
};
const ask = (): Promise<[status: number, isResent: boolean]> =>
  new Promise((resolve) =>
    pool.send("GET / HTTP/1.1\r\n\r\n", false, (status, _, isResent) => resolve([status, isResent])),
  );

afterEach(() => {
  pool.close();
  server.close();
  vi.useRealTimers();
});

test("a call over a kept connection that is closed at once is sent again over another, and said to be", async () => {
  // A machine that stands still would make it look like one that is closed later.
  vi.useFakeTimers({ toFake: ["performance"] });
  await listen(0);
  expect(await ask()).toEqual([204, false]);
  expect(await ask()).toEqual([204, true]);
  expect(calls).toEqual([1, 1, 2]);
});

test("a call that breaks off later has no answer, and is not sent again", async () => {
  await listen(200);
  expect(await ask()).toEqual([204, false]);
  expect(await ask()).toEqual([0, false]);
  expect(calls).toEqual([1, 1]);
});
