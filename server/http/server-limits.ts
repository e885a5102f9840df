import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { parseAddress } from "./client-address.ts";

/** A slow or endless client holds a socket, never the service (Node's own defaults are 60 s and 300 s). */
const options = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  /** With the default of 30 s the two limits above would be noticed only then. */
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
};
const mostConnections = 10_000;
const mostRequestsPerSocket = 1_000;
/** How long a connection may neither bring nor take anything while a request of it is under way, in milliseconds. */
const stallMs = 10_000;
/** Of one address, or one /64 of IPv6: many times what an office behind one address needs, and 1 in 40 of all. */
const mostOfOneAddress = 256;
/** Requests of one connection that are not answered, or whose answers nobody has read. No browser sends a second one. */
const mostUnanswered = 64;

/**
 * A server that no client can make hold more than its share: of connections, of time, and of answers that it asks for
 * and never reads (decisions.md#unread-answers). Who has sent its last request still gets the answer.
 * `isBehindProxy`: all connections then come from a few addresses, and each of them may have them all.
 */
export function createLimitedServer(
  listener: RequestListener,
  { isBehindProxy }: { isBehindProxy: boolean },
): Server {
  const unanswered = new WeakMap<Socket, number>();
  const server = createServer(options, (req, res) => {
    const { socket } = req;
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, waiting);
    res.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1));
    if (waiting > mostUnanswered) socket.destroy();
    // The parser goes on through what it has of a connection that is gone.
    else if (!socket.destroyed) listener(req, res);
  });
  server.maxConnections = mostConnections;
  server.maxRequestsPerSocket = mostRequestsPerSocket;
  server.timeout = stallMs;
  // Otherwise Node would end the connection of a client that has ended its half, and the click be billed unanswered.
  Object.assign(server, { httpAllowHalfOpen: true });
  if (!isBehindProxy) limitEachAddress(server);
  return server;
}

const limitEachAddress = (server: Server): void => {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const prefix = parseAddress(socket.remoteAddress ?? "")?.prefix ?? "";
    const count = (open.get(prefix) ?? 0) + 1;
    open.set(prefix, count);
    socket.once("close", () => {
      const left = (open.get(prefix) ?? 1) - 1;
      if (left > 0) open.set(prefix, left);
      else open.delete(prefix);
    });
    if (count > mostOfOneAddress) socket.destroy();
  });
};
