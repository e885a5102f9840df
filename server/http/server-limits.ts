import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "./call.ts";
import { parseAddress } from "./client-address.ts";
import { writeAnswer } from "./node-call.ts";
import { Problem } from "./problem.ts";
import { prepareRefusingUnread } from "./unread-request.ts";

/** A slow or endless client holds a socket, never the service (Node's own defaults are 60 s and 300 s). */
const options = {
  headersTimeout: 5_000,
  /** Noticed within the interval below, so that nobody takes ten seconds. */
  requestTimeout: 9_000,
  /** With the default of 30 s the two limits above would be noticed only then. */
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
  /** Node's own refusal would have no id; `hasOneHost` looks. */
  requireHostHeader: false,
};
/**
 * A proxy must be the first to give an idle connection up: whatever it sends at the moment in which the service does comes
 * back as a 502. Amazon's load balancers keep theirs for a minute, Google's for ten, which nobody can change.
 */
const proxyKeepAliveMs = 620_000;
const mostRequestsPerSocket = 1_000;
/**
 * After so many milliseconds in which a connection has neither brought nor taken anything while a request of it is under
 * way, we look at it, and at the latest when as much has passed again it is ended.
 */
const stallMs = 4_500;
/** Of one address, or one /64 of IPv6: many times what an office behind one address needs, and 1 in 40 of all. */
const mostOfOneAddress = 256;
/** Of all clients together, where the process may have as many files open. */
export const mostOfAll = 10_000;
/** Requests of one connection that are not answered, or whose answers nobody has read. No browser sends a second one. */
const mostUnanswered = 64;

/** All connections, those of one address, the requests of one that wait, and the time for reading an answer, and for making it. */
export const connectionLimits = ["all", "address", "unanswered", "unread", "late"] as const;
export type ConnectionLimit = (typeof connectionLimits)[number];

/** What the limits need from the rest of the service. */
export type ServerSettings = {
  /** All connections then come from a few addresses, and each of them may have them all. */
  isBehindProxy: boolean;
  /** The answer to a request that could not be read, and so is no call. */
  refuse: (problem: Problem) => Answer;
  /** The answer to a call whose own one has taken too long. */
  answerLate: (req: IncomingMessage) => Answer;
  /** How many connections all clients together may have. */
  mostConnections?: number;
  /** Hears of each connection that is ended, and which limit it was above. */
  onRefused?: (limit: ConnectionLimit) => void;
};

/**
 * A server that no client can make hold more than its share: of connections, of time, and of answers that it asks for
 * and never reads (decisions.md#unread-answers). Who has sent its last request still gets the answer, and who sent what
 * is no request gets one like any other's.
 */
export function createLimitedServer(listener: RequestListener, settings: ServerSettings): Server {
  const { isBehindProxy, refuse, mostConnections = mostOfAll, onRefused = () => undefined } = settings;
  const unanswered = new WeakMap<object, Set<ServerResponse>>();
  const take: RequestListener = (req, res) => {
    const { socket } = req;
    const waiting = unanswered.get(socket) ?? new Set();
    unanswered.set(socket, waiting.add(res));
    res.once("close", () => waiting.delete(res));
    if (waiting.size > mostUnanswered) {
      // Once: the parser comes here with each request that it still has of it.
      if (!socket.destroyed) onRefused("unanswered");
      socket.destroy();
    }
    // The parser goes on through what it has of a connection that is gone.
    else if (!socket.destroyed) {
      if (hasOneHost(req)) listener(req, res);
      else refuseRequest(res, refuse(withoutOneHost()));
    }
  };
  const server = createServer(options, take);
  // Nobody has to heed an expectation that it does not know (RFC 9110 section 10.1.1); Node's own 417 has no id.
  server.on("checkExpectation", take);
  const refuseUnread = prepareRefusingUnread(refuse);
  server.on("clientError", (error, socket) =>
    refuseUnread(error, socket, unanswered.get(socket) ?? new Set()),
  );
  server.maxRequestsPerSocket = mostRequestsPerSocket;
  server.timeout = stallMs;
  const end = (socket: Socket, waiting: ReadonlySet<ServerResponse>): void => {
    const [first] = waiting;
    // Behind an answer that nobody reads, nobody would read another one either.
    if (first?.writableEnded) onRefused("unread");
    if (first === undefined || first.writableEnded) socket.destroy();
    // Where what has come of a body lies there unread, it is our turn too.
    else if (!first.req.complete && first.req.readableLength === 0)
      refuseUnread(bodyOverdue(), socket, waiting);
    else endLate(first);
  };
  const endLate = (res: ServerResponse): void => {
    onRefused("late");
    // What has begun cannot become another answer: ending the connection is what the client can notice.
    if (res.headersSent) res.destroy();
    else refuseRequest(res, settings.answerLate(res.req));
  };
  server.on("timeout", prepareEndingStalled(server, unanswered, end));
  if (isBehindProxy) server.keepAliveTimeout = proxyKeepAliveMs;
  // Otherwise Node would end the connection of a client that has ended its half, and the click be billed unanswered.
  Object.assign(server, { httpAllowHalfOpen: true });
  limitAll(server, mostConnections, onRefused);
  if (!isBehindProxy) limitEachAddress(server, onRefused);
  return server;
}

/**
 * Ends a connection on which nothing moves. Where it is our turn, it has the same time once more: so who reads nothing is
 * not taken for somebody whom a long report keeps waiting. Node itself gives that time to a connection which has taken a
 * part of what it was sent, so that an unread answer would otherwise be held for twice what is said. Whom we keep waiting for
 * longer than that is told so (decisions.md#late-answers): a connection that is reset says nothing, and a browser may ask on
 * another one at once. So is whose body has stopped: Node's own limit of a whole request would be noticed after this one.
 */
const prepareEndingStalled = (
  server: Server,
  unanswered: WeakMap<object, Set<ServerResponse>>,
  end: (socket: Socket, waiting: ReadonlySet<ServerResponse>) => void,
) => {
  const waitedFor = new WeakSet<ServerResponse>();
  return (socket: Socket): void => {
    const waiting = unanswered.get(socket) ?? new Set();
    const ours = [...waiting].find((res) => !res.writableEnded);
    if (ours === undefined || waitedFor.has(ours)) {
      end(socket, waiting);
      return;
    }
    waitedFor.add(ours);
    socket.setTimeout(server.timeout);
  };
};

/** What Node says of it, where it notices first. */
const bodyOverdue = (): Error =>
  Object.assign(new Error("the body has stopped"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });

type Hear = (limit: ConnectionLimit) => void;

/** Counted here and not by `maxConnections`, which counts each door's alone. */
const limitAll = (server: Server, most: number, hear: Hear): void => {
  let open = 0;
  server.prependListener("connection", (socket: Socket) => {
    open += 1;
    socket.once("close", () => {
      open -= 1;
    });
    if (open <= most) return;
    hear("all");
    socket.destroy();
  });
};

const limitEachAddress = (server: Server, hear: Hear): void => {
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
    // A connection that the limit of all clients has ended is counted as refused by that one alone.
    if (count <= mostOfOneAddress || socket.destroyed) return;
    hear("address");
    socket.destroy();
  });
};

/**
 * Whether a request has one Host, and that is a host; HTTP/1.0 needs none. Any other must be answered by 400 (RFC 9112 section
 * 3.2): of two of them a proxy may have gone by the one that the service does not see.
 */
const hasOneHost = ({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean => {
  if (headers.host === undefined) return httpVersion !== "1.1";
  if (!hostForm.test(headers.host)) return false;
  let hosts = 0;
  // Node keeps the first one alone. Names and values in turn; few names are as long, so that hardly any is written anew.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1;
};

/** A name or address, and at most a port (RFC 3986 section 3.2.2). */
const hostForm = /^(?:\[[\w:.%~-]+\]|[\w.%~!$&'()*+,;=-]+)(?::\d*)?$/;

const withoutOneHost = () =>
  new Problem("malformed_request", "The request must have one Host header, with a host and at most a port.");

const refuseRequest = (res: ServerResponse, answer: Answer): void => {
  res.shouldKeepAlive = false;
  writeAnswer(res, answer);
};
