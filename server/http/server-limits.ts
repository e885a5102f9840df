import { createServer, type RequestListener, type Server } from "node:http";

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

export function createLimitedServer(listener?: RequestListener): Server {
  const server = createServer(options, listener);
  server.maxConnections = mostConnections;
  server.maxRequestsPerSocket = mostRequestsPerSocket;
  return server;
}
