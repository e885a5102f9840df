import { once } from "node:events";
import { Agent, createServer, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { TimerOptions } from "node:timers";
import { expect, it, onTestFinished, vi } from "vitest";
import { stopServing } from "./shutdown.ts";
import { call } from "./testing/call.ts";

/** Where it is not null, the second for idle connections ends when the test says. */
const second = vi.hoisted((): { over: Promise<void> | null; hasBegun: boolean } => ({
  over: null,
  hasBegun: false,
}));
vi.mock("node:timers/promises", async (importOriginal) => {
  const timers = await importOriginal<typeof import("node:timers/promises")>();
  const pause = async (ms: number, value?: undefined, options?: TimerOptions): Promise<void> => {
    if (ms !== 1000 || second.over === null) return timers.setTimeout(ms, value, options);
    second.hasBegun = true;
    await second.over;
  };
  return { ...timers, setTimeout: pause };
});

it("lets what is under way finish, and does not wait for idle connections beyond a second", async () => {
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
    .poll(() => call(`${url}/quick`, {}, new Agent()).catch((error: NodeJS.ErrnoException) => error.code))
    .toBe("ECONNREFUSED");
  expect(isStopped).toBe(false);
  held[0]?.end("finished");
  expect((await slow).text).toBe("finished");
  await stopping;
  agent.destroy();
});

const listening = async (answer: RequestListener) => {
  const server = createServer(answer);
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
};

it("answers an idle connection that brings a request within the second after the door has closed", async () => {
  const { server, port } = await listening((_req, res) => res.end("quick"));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `http://127.0.0.1:${port}/`;
  await call(url, {}, agent);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  second.over = over;
  try {
    let isStopped = false;
    const stopping = stopServing(server, { isNoticed: false }).then(() => {
      isStopped = true;
    });
    await expect.poll(() => second.hasBegun).toBe(true);
    expect(server.listening).toBe(false);
    expect((await call(url, {}, agent)).text).toBe("quick");
    expect(isStopped).toBe(false);
    end();
    await stopping;
  } finally {
    second.over = null;
    agent.destroy();
  }
});

it("answers those who come while the door closes", async () => {
  let answered = 0;
  const { server, port } = await listening((_req, res) => {
    answered += 1;
    res.end("quick");
  });
  let taken = 0;
  server.on("connection", () => {
    taken += 1;
  });
  const sockets = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"));
  await expect.poll(() => taken, { timeout: 10_000 }).toBe(20);
  const stopping = stopServing(server, { isNoticed: false });
  const answers = sockets.map(async (socket) => {
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const [answer] = await once(socket, "data");
    return String(answer);
  });
  // Nobody is answered while the door is still open.
  await new Promise(setImmediate);
  expect([server.listening, answered]).toEqual([true, 0]);
  expect((await Promise.all(answers)).every((text) => text.endsWith("quick"))).toBe(true);
  await stopping;
});

it("answers those who come while the process stands still, just before the door would close", async () => {
  const { server, port } = await listening((_req, res) => res.end("quick"));
  // However long this machine itself stands still, what passes for the server is what the test says.
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["performance"] });
  const stopping = stopServing(server, { isNoticed: false });
  await new Promise(setImmediate);
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const answered = once(socket, "data");
  // The system has it by then, and it is not taken.
  await new Promise<void>((resume) => process.nextTick(resume));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  vi.advanceTimersByTime(400);
  expect(String(await answered)).toMatch(/quick$/);
  await stopping;
});

it("waits no longer than four seconds for a request that does not end", async () => {
  const { server, port } = await listening((req, res) => void req.resume().on("end", () => res.end()));
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{");
  await once(server, "request");
  const late = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
  const sweep = vi.spyOn(server, "closeIdleConnections");
  second.over = Promise.resolve();
  try {
    let isStopped = false;
    const stopping = stopServing(server, { isNoticed: false }).then(() => {
      isStopped = true;
    });
    expect(timeout).toHaveBeenCalledExactlyOnceWith(4000);
    await expect.poll(() => sweep.mock.calls.length).toBeGreaterThan(2);
    expect(isStopped).toBe(false);
    late.abort();
    await stopping;
  } finally {
    second.over = null;
    timeout.mockRestore();
    socket.destroy();
  }
});

it("has nothing to do for a server that never listened", async () => {
  await expect(stopServing(createServer(), { isNoticed: true })).resolves.toBeUndefined();
});
