import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Answer } from "./call.ts";
import { Problem } from "./problem.ts";

type Connection = {
  readonly writable: boolean;
  end: (text: string) => unknown;
  destroy: (error?: Error) => unknown;
};

/** How long a refused connection is still read, so that what is on its way does not reset it before it was answered. */
const lingerMs = 1000;

/**
 * Prepares what answers a connection of which Node could not read on, and ends it: where a next request would begin is
 * not known any more. Requests before it that were read whole are answered first (`waiting`: who is not answered yet).
 */
export function prepareRefusingUnread(
  refuse: (problem: Problem) => Answer,
): (error: NodeJS.ErrnoException, socket: Connection, waiting: ReadonlySet<ServerResponse>) => void {
  // The parser goes on to fail on whatever else arrives of a connection that has had its refusal.
  const refused = new WeakSet<Connection>();
  return (error, socket, waiting) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const problem = problemOfUnread(error);
    // The client has left, or it has begun to get the very answer whose request broke off.
    if (problem === null || [...waiting].some(({ req, headersSent }) => !req.complete && headersSent)) {
      socket.destroy(error);
      return;
    }
    const tell = (): void => {
      if (!socket.writable) return;
      socket.end(textOf(refuse(problem)));
      setTimeout(() => socket.destroy(), lingerMs).unref();
    };
    const before = [...waiting].findLast(({ req }) => req.complete);
    if (before === undefined) tell();
    else before.once("close", tell);
  };
}

/** Null: nothing was wrong with what came; the connection broke. */
const problemOfUnread = ({ code = "" }: NodeJS.ErrnoException): Problem | null => {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new Problem("request_timeout", "The request did not arrive in time.");
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new Problem("headers_too_large", "The headers must be at most 16 KiB.");
  }
  return code.startsWith("HPE_")
    ? new Problem("malformed_request", "The request could not be read as HTTP.")
    : null;
};

const textOf = ({ status, headers, body }: Answer): string => {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, `Date: ${new Date().toUTCString()}`];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  return `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body ?? ""}`;
};
