import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { connect } from "./connect.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A message of the server's side: its letter, its length, and what it tells. */
const message = (letter: string, ...parts: (Buffer | string)[]): Buffer => {
  const told = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(told.length + 4, 1);
  return Buffer.concat([head, told]);
};
const int16 = (number: number): Buffer => Buffer.from([number >> 8, number & 255]);
const int32 = (number: number): Buffer => Buffer.concat([int16(number >> 16), int16(number & 65535)]);
const ready = message("Z", "I");
const welcome = Buffer.concat([message("R", int32(0)), ready]);

/** The answer to a question, a row of texts: a column's name, the type's number, and its text. */
const rowOf = (columns: readonly (readonly [name: string, type: number, text: string | null])[]): Buffer => {
  const described = columns.map(([name, type]) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      int32(0),
      int16(0),
      int32(type),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  );
  const texts = columns.map(([, , text]) =>
    text === null ? int32(-1) : Buffer.concat([int32(text.length), Buffer.from(text)]),
  );
  return Buffer.concat([
    message("T", int16(columns.length), ...described),
    message("D", int16(columns.length), ...texts),
    message("C", "SELECT 1\0"),
    ready,
  ]);
};

/** What stands in for a server: it welcomes whoever comes, and then does what the test says with what is asked. */
const startStandIn = async (onAsked: (socket: Socket, startup: string) => void) => {
  const sockets = new Set<Socket>();
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  // Its own side stays open, as that of a machine which has fallen silent.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    socket.on("end", left.resolve);
    let startup: string | null = null;
    socket.on("data", (data) => {
      if (startup === null) {
        startup = data.toString();
        socket.write(welcome);
      } else if (data.toString().startsWith("Q")) {
        onAsked(socket, startup);
        asked.resolve();
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: asked.promise,
    left: left.promise,
    sockets,
  };
};

const [boolean, text] = [16, 25];
/** A server's answer; the mark is read out of what the connection began with, as PostgreSQL does. */
const telling = (standby: "t" | "f") => (socket: Socket, startup: string) => {
  const mark = /-c offers\.settings=(\w+)/.exec(startup)?.[1] ?? null;
  socket.write(
    rowOf([
      ["standby", boolean, standby],
      ["mark", text, mark],
    ]),
  );
};
const [primary, standby] = [telling("f"), telling("t")];
const silent = (): void => undefined;
const at = (...hosts: { host: string }[]) => ({
  url: `postgres://offers@${hosts.map(({ host }) => host).join(",")}/offers`,
  name: "offers tests",
});

it("gives a host up that welcomes it and answers nothing more, and goes on to the next one", async () => {
  const [first, next] = [await startStandIn(silent), await startStandIn(primary)];
  const connecting = connect(at(first, next));
  await first.asked;
  vi.advanceTimersByTime(2000);
  const client = await connecting;
  expect(client.port).toBe(Number(next.host.split(":")[1]));
  client.connection.stream.destroy();
});

it("rejects when no host answers, and leaves no connection behind", async () => {
  const host = await startStandIn(silent);
  const connecting = connect(at(host));
  const rejected = expect(connecting).rejects.toThrow(
    `no PostgreSQL server takes writes (postgres://${host.host}/offers: timeout expired)`,
  );
  await host.asked;
  vi.advanceTimersByTime(2000);
  await rejected;
  await host.left;
});

it("goes on from a standby that does not answer the farewell", async () => {
  const [first, next] = [await startStandIn(standby), await startStandIn(primary)];
  const connecting = connect(at(first, next));
  await first.left;
  vi.advanceTimersByTime(2000);
  const client = await connecting;
  expect(client.port).toBe(Number(next.host.split(":")[1]));
  client.connection.stream.destroy();
});

it("refuses a pooler that lets it in without the settings that it has asked for", async () => {
  const pooler = await startStandIn((socket) => primary(socket, ""));
  await expect(connect({ ...at(pooler), settings: { lock_timeout: 1500 } })).rejects.toThrow(
    /settings of the session have not come through: let DATABASE_URL lead to PostgreSQL itself, to no pooler/,
  );
});

it("says what to change where a pooler refuses the settings", async () => {
  const pooler = await startStandIn((socket) =>
    socket.end(message("E", "SFATAL\0C08P01\0Munsupported startup parameter: options\0\0")),
  );
  await expect(connect(at(pooler))).rejects.toThrow(
    /unsupported startup parameter: options; .*let DATABASE_URL lead to PostgreSQL itself, to no pooler/,
  );
});
