import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as it came over the wire, preflights included, and how it ended. */
export type WireRequest = {
  method: string;
  path: string;
  search: string;
  headers: Record<string, string>;
  body: string;
  /** Port of the browser's end of the connection: the same one for all that came over it. */
  connection: number;
  /** `abandoned`: the browser went away before there was an answer. Null while it waits for one. */
  status: number | "dropped" | "abandoned" | null;
  answerHeaders: Record<string, string>;
};

/**
 * Stands in for the service on one request: with an answer, with an end of the connection, or with a promise after
 * which the request is passed on.
 */
export type Tamper = (request: WireRequest) => CannedAnswer | "drop" | Promise<void> | null;
export type CannedAnswer = { status: number; headers?: Record<string, string>; body: string };

/**
 * A plain HTTP proxy in front of the service: browsers talk to it, so that it sees every request that
 * really was made. It can also be the one trusted proxy that says where a visitor comes from.
 */
export type Wire = {
  url: string;
  /** In the order of arrival. */
  requests: WireRequest[];
  /** What the proxy puts into X-Forwarded-For; null: it adds none. */
  visitorAddress: string | null;
  tamper: Tamper | null;
  /** Where requests are passed on to. */
  target: string;
  close: () => Promise<void>;
};

/** A request on this path ends here and is in no list. Once it is answered, all earlier ones have arrived. */
export const barrierPath = "/wire-barrier";

export async function openWire(): Promise<Wire> {
  const server = createServer((incoming, response) => {
    take(wire, incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  // It keeps connections for as long as their other ends do: one that closes just as a server sends would lose a call.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const wire: Wire = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    visitorAddress: null,
    tamper: null,
    target: "",
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return wire;
}

const take = async (wire: Wire, incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, search } = new URL(incoming.url ?? "/", wire.url);
  if (pathname === barrierPath) {
    // A page that isolates itself must be able to ask for it, too.
    response.writeHead(204, { "cross-origin-resource-policy": "cross-origin" }).end();
    return;
  }
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  const seen: WireRequest = {
    method: incoming.method ?? "",
    path: pathname,
    search,
    headers,
    body: "",
    connection: incoming.socket.remotePort ?? 0,
    status: null,
    answerHeaders: {},
  };
  wire.requests.push(seen);
  response.on("close", () => {
    seen.status ??= "abandoned";
  });
  for await (const chunk of incoming) seen.body += String(chunk);
  await answer(wire, seen, response);
};

const answer = async (wire: Wire, seen: WireRequest, response: ServerResponse): Promise<void> => {
  const instead = wire.tamper?.(seen) ?? null;
  if (instead === "drop") {
    seen.status = "dropped";
    response.destroy();
  } else if (instead !== null && "status" in instead) {
    seen.status = instead.status;
    response.writeHead(instead.status, instead.headers).end(instead.body);
  } else {
    await instead;
    if (seen.status === null) passOn(wire, seen, response);
  }
};

const passOn = (wire: Wire, seen: WireRequest, response: ServerResponse): void => {
  const { host: _, connection: __, ...headers } = seen.headers;
  if (wire.visitorAddress !== null) headers["x-forwarded-for"] = wire.visitorAddress;
  const outgoing = request(
    wire.target + seen.path + seen.search,
    // A connection of its own, for the same reason.
    { method: seen.method, headers, agent: false },
    (incoming) => {
      seen.status = incoming.statusCode ?? 0;
      seen.answerHeaders = Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      );
      response.writeHead(seen.status, withoutHop(incoming.rawHeaders));
      incoming.pipe(response);
    },
  );
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  outgoing.end(seen.body);
};

/** What an answer says about the connection that it came over is not about the one that it goes on. */
const withoutHop = (rawHeaders: readonly string[]): string[] => {
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""]] : []));
  return pairs.filter(([name]) => !/^(connection|keep-alive)$/i.test(name ?? "")).flat();
};
