import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeAnswer } from "./node-call.ts";
import type { Problem } from "./problem.ts";
import { type ConnectionLimit, createLimitedServer } from "./server-limits.ts";

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const answerLate = () => ({ status: 503, headers: ["Retry-After", "1"], body: "late" });
const refuse = ({ status, code }: Problem) => ({ status, headers: ["X-Code", code], body: code });

/** What was told of connections that were ended. */
const ended: ConnectionLimit[] = [];
beforeEach(() => {
  ended.length = 0;
});

const listening = async (answer: RequestListener, isBehindProxy = false, mostConnections?: number) => {
  const server = createLimitedServer(answer, {
    isBehindProxy,
    refuse,
    answerLate,
    onRefused: (limit) => ended.push(limit),
    ...(mostConnections && { mostConnections }),
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const counted = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  /** A client that reads nothing until it is asked to, and whom no reset surprises. */
  const open = async (allowHalfOpen = false): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen });
    sockets.push(socket);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  return { server, counted, open };
};

const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

it("cuts off 300 callers at once who ask on and on and read no answer, and answers few of them", async () => {
  let answered = 0;
  const { counted, open } = await listening((_req, res) => {
    answered += 1;
    setTimeout(() => res.end("x".repeat(1000)), 500);
  }, true);
  const callers = await Promise.all(Array.from({ length: 300 }, () => open()));
  for (const caller of callers) caller.write(request.repeat(150));
  await expect.poll(counted, { timeout: 15_000 }).toBe(0);
  expect(answered).toBeLessThanOrEqual(300 * 64);
}, 30_000);

it("answers a caller that sends as many requests at once as it may, all of them in order", async () => {
  let number = 0;
  const { open } = await listening((_req, res) => {
    number += 1;
    setImmediate((mine: number) => res.end(`<${mine}>`), number);
  });
  const caller = await open();
  let received = "";
  caller.on("data", (data) => {
    received += data.toString();
  });
  for (let round = 1; round <= 2; round += 1) {
    caller.write(request.repeat(64));
    await expect.poll(() => received.match(/<\d+>/g)?.length).toBe(round * 64);
  }
  expect(received.match(/\d+(?=>)/g)?.map(Number)).toEqual(Array.from({ length: 128 }, (_, at) => at + 1));
});

it("cuts off a caller that stops reading a long answer, and none that waits for one as long", async () => {
  const long = await listening((_req, res) => res.end(Buffer.alloc(64 * 1024 * 1024)));
  const late = await listening((_req, res) => void setTimeout(() => res.end("late"), 6000));
  const [unread, patient] = [await long.open(), await late.open()];
  unread.write(request);
  patient.write(request);
  await once(long.server, "request");
  const from = performance.now();
  const received = once(patient, "data");
  await expect.poll(long.counted, { timeout: 18_000 }).toBe(0);
  // After nine seconds, were it not for the machine; after thirteen and a half, if it were given the time once more.
  expect(performance.now() - from).toBeLessThan(13_000);
  expect(String((await received)[0])).toContain("late");
}, 30_000);

describe("an answer that does not come", () => {
  const takesAll: RequestListener = (req, res) => void req.resume().on("end", () => res.end("whole"));
  /** Nobody is waited for as long as in the service. */
  const hasty = async (answer: RequestListener) => {
    const door = await listening(answer);
    door.server.timeout = 500;
    return door;
  };

  it("is told to be late behind the answers before it, and whatever comes of it later reaches nobody", async () => {
    const waiting: ServerResponse[] = [];
    const { open } = await hasty((req, res) => {
      if (req.url === "/at-once") res.end("at once");
      else waiting.push(res);
    });
    const caller = await open(true);
    let received = "";
    caller.on("data", (data) => {
      received += data.toString();
    });
    caller.write(`GET /at-once HTTP/1.1\r\nHost: x\r\n\r\n${request}${request}`);
    await once(caller, "end");
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 503"]);
    expect(received).toMatch(/\r\nRetry-After: 1\r\n[\s\S]*\r\nConnection: close\r\n[\s\S]*late\r\n/);
    expect(ended).toEqual(["late"]);
    expect(waiting).toHaveLength(2);
    for (const res of waiting) writeAnswer(res, { status: 200, headers: [], body: "after all" });
    expect(waiting[0]?.statusCode).toBe(503);
  });

  it("to its end is cut off, and nothing is added to what was sent", async () => {
    const { open } = await hasty((_req, res) => {
      res.writeHead(200, { "Content-Length": "10" });
      res.write("begun");
    });
    const caller = await open();
    let received = "";
    caller.on("data", (data) => {
      received += data.toString();
    });
    caller.write(request);
    await once(caller, "close");
    expect(received).toMatch(/\r\n\r\nbegun$/);
    expect(ended).toEqual(["late"]);
  });

  it("is not late behind one that nobody reads", async () => {
    const { open, counted } = await hasty((req, res) => {
      if (req.url === "/") res.end(Buffer.alloc(64 * 1024 * 1024));
    });
    const caller = await open();
    caller.write(`${request}GET /never HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(counted).toBe(1);
    await expect.poll(counted).toBe(0);
    expect(ended).toEqual(["unread"]);
  });

  it.each([
    { what: "is read", answer: takesAll, told: /^HTTP\/1\.1 408 [\s\S]*request_timeout$/, late: [] },
    {
      what: "lies there unread",
      answer: () => undefined,
      told: /^HTTP\/1\.1 503 [\s\S]*late/,
      late: ["late"],
    },
  ])("to half a request, which $what, is told by who is waited for", async ({ answer, told, late }) => {
    const { open } = await hasty(answer);
    const caller = await open(true);
    let received = "";
    caller.on("data", (data) => {
      received += data.toString();
    });
    caller.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");
    await once(caller, "end");
    expect(received).toMatch(told);
    expect(ended).toEqual(late);
  });

  it("is nobody's fault where nobody has asked for one", async () => {
    const { open, counted } = await hasty((_req, res) => res.end("here"));
    await open();
    const caller = await open();
    caller.write(request);
    await once(caller, "data");
    await expect.poll(counted).toBe(0);
    expect(ended).toEqual([]);
  });
});

it("lets one address have 256 connections and no more, and the next one when one is closed", async () => {
  const { counted, open } = await listening((_req, res) => res.end("here"));
  const callers = await Promise.all(Array.from({ length: 300 }, () => open()));
  await expect.poll(counted).toBe(256);
  for (const caller of callers) caller.destroy();
  await expect.poll(counted).toBe(0);
  const late = await open();
  late.write(request);
  expect(String((await once(late, "data"))[0])).toContain("200 OK");
});

it("lets a trusted proxy have as many as it needs", async () => {
  const { counted, open } = await listening((_req, res) => res.end(), true);
  await Promise.all(Array.from({ length: 300 }, () => open()));
  await expect.poll(counted).toBe(300);
});

it("answers a client that has closed its half of the connection, and then closes the other", async () => {
  const { counted, open } = await listening((_req, res) => void setTimeout(() => res.end("late"), 100));
  const caller = await open(true);
  let received = "";
  caller.on("data", (data) => {
    received += data.toString();
  });
  caller.end(request);
  await once(caller, "end");
  expect(received).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*late$/);
  await expect.poll(counted).toBe(0);
});

it("drops a client that sends its request too slowly, within seconds", async () => {
  const { open } = await listening((_req, res) => res.end());
  const socket = await open();
  let received = "";
  socket.on("data", (data) => {
    received += data.toString();
  });
  const startedAt = performance.now();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
  // A header line now and then keeps a naive timeout from firing.
  const dripping = setInterval(() => socket.write("X-Drip: 1\r\n"), 500);
  await once(socket, "close");
  clearInterval(dripping);
  expect(performance.now() - startedAt).toBeLessThan(13_000);
  expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout[\s\S]*request_timeout$/);
});

it("holds a bounded number of connections, of whatever addresses", async () => {
  const { counted, open } = await listening((_req, res) => res.end(), true, 20);
  for (let number = 0; number < 25; number += 1) await open();
  await expect.poll(counted).toBe(20);
  sockets[0]?.destroy();
  await expect.poll(counted).toBe(19);
  await open();
  await expect.poll(counted).toBe(20);
});

it("lets each connection have a bounded number of requests, and of time", () => {
  const server = createLimitedServer((_req, res) => res.end(), { isBehindProxy: false, refuse, answerLate });
  expect(server.maxRequestsPerSocket).toBe(1_000);
  expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([
    5_000, 9_000, 5_000,
  ]);
});

it("keeps a proxy's idle connections for longer than any proxy does, and reads no slower for it", () => {
  const server = createLimitedServer((_req, res) => res.end(), { isBehindProxy: true, refuse, answerLate });
  expect(server.keepAliveTimeout).toBeGreaterThan(600_000);
  expect([server.headersTimeout, server.requestTimeout, server.timeout]).toEqual([5_000, 9_000, 4_500]);
});

describe("what Node cannot read", () => {
  /** All that a client is told that sends this and waits for the end. */
  const told = async (text: string, answer: RequestListener = (_req, res) => res.end("fine")) => {
    const { open } = await listening(answer);
    const caller = await open(true);
    let received = "";
    caller.on("data", (data) => {
      received += data.toString();
    });
    caller.write(text);
    await once(caller, "end");
    return received;
  };

  it("behind requests that it has read is refused after their answers", async () => {
    const late: RequestListener = (_req, res) => void setTimeout(() => res.end("late"), 100);
    const received = await told(`${request}${request}nonsense\r\n\r\n`, late);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 400"]);
    expect(received).toMatch(/malformed_request$/);
  });

  it("of a body is refused in place of its answer, once", async () => {
    const waits: RequestListener = (req, res) => void req.resume().on("end", () => res.end("whole"));
    const chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n";
    const received = await told(`${chunked}zz\r\nzz\r\n`, waits);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  });

  it("of a body whose answer has begun cuts the connection, and adds nothing to that answer", async () => {
    const begins: RequestListener = (_req, res) => {
      res.writeHead(200, { "Content-Length": "10" });
      res.write("begun");
    };
    const { open, counted } = await listening(begins);
    const caller = await open();
    let received = "";
    caller.on("data", (data) => {
      received += data.toString();
    });
    caller.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    await expect.poll(() => received).toContain("begun");
    caller.write("zz\r\n");
    await expect.poll(counted).toBe(0);
    expect(received).not.toContain("malformed_request");
  });

  it("is told to a client that is still sending, before the connection ends", async () => {
    const { open, counted } = await listening((_req, res) => res.end());
    const caller = await open();
    let received = "";
    caller.on("data", (data) => {
      received += data.toString();
    });
    caller.write(`GET / HTTP/1.1\r\nHost: x\r\n${`X-Much: ${"x".repeat(1000)}\r\n`.repeat(400)}\r\n`);
    await once(caller, "close");
    expect(received).toMatch(/^HTTP\/1\.1 431 [\s\S]*\r\nConnection: close\r\n\r\nheaders_too_large$/);
    await expect.poll(counted).toBe(0);
  });
});
