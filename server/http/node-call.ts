import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Answer, Call, Outcome } from "./call.ts";

/**
 * A request of Node's as plain values, under the id that it is known by from here on. It stays with the request, so
 * that whatever answers later finds the same call by `callOf`.
 */
export function beginCall(req: IncomingMessage, id: string): Call {
  const call = new NodeCall(req, id);
  keepCall(req, call);
  return call;
}

/** Has a request that was made of another one be known by the other one's call. */
export function keepCall(req: IncomingMessage, call: Call): void {
  (req as Begun)[own] = call;
}

/** The call that was begun of a request. */
export function callOf(req: IncomingMessage): Call {
  const call = (req as Begun)[own];
  if (call === undefined) throw new TypeError("nobody has begun a call of this request");
  return call;
}

const own = Symbol("call");
type Begun = IncomingMessage & { [own]?: Call };

/** Answers a call on the response that belongs to it. */
export type Serve = (call: Call, res: ServerResponse) => void;

/**
 * What stands between HTTP as Node speaks it and the routes. `onWait` hears of each call that is not answered at once,
 * and with -1 of its answer; `onFailure` of an answer that cannot be written. While `isDraining`, each answer is the last
 * one of its connection.
 */
export function serveAnswers(
  answer: (call: Call) => Answer | Promise<Answer>,
  {
    onWait,
    onFailure,
    isDraining,
  }: {
    onWait: (by: 1 | -1) => void;
    onFailure: (error: unknown, call: Call) => void;
    isDraining: () => boolean;
  },
): Serve {
  return (call, res) => {
    const write = (answered: Answer): void => {
      try {
        if (isDraining()) res.shouldKeepAlive = false;
        writeAnswer(res, answered);
      } catch (error) {
        // Not even its head can be sent: ending the connection is what the client can notice.
        onFailure(error, call);
        res.destroy();
      }
    };
    const answered = answer(call);
    if (!(answered instanceof Promise)) return write(answered);
    onWait(1);
    void answered.then((late) => {
      onWait(-1);
      write(late);
    });
  };
}

/**
 * Writes an answer; what its head names replaces what was set on the response before. One that comes after the caller was
 * told that it is late reaches nobody.
 */
export function writeAnswer(res: ServerResponse, { status, headers, body, outcome }: Answer): void {
  if (res.writableEnded) return;
  if (outcome !== undefined) (res as Written)[told] = outcome;
  res.writeHead(status, headers);
  if (body === null) res.end();
  else res.end(body);
}

/** What the answer that was written comes to, where that was told. */
export function outcomeOf(res: ServerResponse): Outcome | undefined {
  return (res as Written)[told];
}

const told = Symbol("outcome");
type Written = ServerResponse & { [told]?: Outcome };

class NodeCall implements Call {
  readonly #req: IncomingMessage;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;

  constructor(req: IncomingMessage, id: string) {
    this.#req = req;
    this.id = id;
    this.method = req.method ?? "";
    const { path, query } = splitTarget(req.url ?? "");
    this.path = path;
    this.query = query;
  }

  get headers(): IncomingHttpHeaders {
    return this.#req.headers;
  }

  get peer(): string | undefined {
    return this.#req.socket.remoteAddress;
  }

  every(name: string): readonly string[] {
    // Names and values in turn. Node's `headersDistinct` would make lists of all of them for the one that is asked for.
    const { rawHeaders } = this.#req;
    return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
  }

  body(most: number): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      process.nextTick(() => {
        // A small body comes in one piece with its head, and is here by now: a stream's events would only cost time.
        const first: Buffer | null = this.#req.read();
        if (!this.#req.complete) return readOn(this.#req, first, most, resolve, reject);
        const bytes = first ?? Buffer.alloc(0);
        resolve(bytes.length > most ? null : bytes);
      });
    });
  }
}

const readOn = (
  req: IncomingMessage,
  first: Buffer | null,
  most: number,
  resolve: (bytes: Uint8Array | null) => void,
  reject: (error: Error) => void,
): void => {
  // The client may have left while somebody looked at its credential; nothing more would be heard of it.
  if (req.destroyed) {
    reject(new Error("the client left before the end of the body"));
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    // The rest is let through and forgotten, so that the connection can go on.
    if (length > most) resolve(null);
    else chunks.push(chunk);
  };
  if (first !== null) take(first);
  req.on("data", take);
  req.on("end", () => resolve(Buffer.concat(chunks)));
  req.on("close", () => reject(new Error("the client left before the end of the body")));
};

/** A target is a path with a query; or, for a proxy, a whole URL (RFC 9112 section 3.2.2). A fragment is nobody's business. */
const splitTarget = (target: string): { path: string; query: string } => {
  const fragmentAt = target.indexOf("#");
  const whole = fragmentAt === -1 ? target : target.slice(0, fragmentAt);
  const local = whole.startsWith("/") ? whole : whole.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const queryAt = local.indexOf("?");
  return queryAt === -1
    ? { path: local, query: "" }
    : { path: local.slice(0, queryAt), query: local.slice(queryAt + 1) };
};
