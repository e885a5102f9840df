import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** A client of one service over at most `connections` kept-alive connections. */
export type HttpClient = {
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  post: (path: string, body: string, headers?: Record<string, string>) => Promise<Answer>;
  close: () => void;
};

/** One that calls by any method as well. */
export type AnyMethodClient = HttpClient & {
  /** With exactly these headers; a list is a header that stands there several times. */
  send: (
    method: string,
    path: string,
    headers?: Record<string, string | string[]>,
    body?: string,
  ) => Promise<Answer>;
};

/** Plain node:http: `fetch` costs more than the service under test, and hides when a connection broke. */
export function openHttpClient(
  url: string,
  connections: number,
  /** Kept connections may be closed at the moment at which they are used again, where calls are seconds apart. */
  { keepAlive = true }: { keepAlive?: boolean } = {},
): AnyMethodClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive, maxSockets: connections, maxFreeSockets: connections });
  const send: AnyMethodClient["send"] = (method, path, headers = {}, body = "") =>
    new Promise<Answer>((resolve, reject) => {
      const call = request({ agent, hostname, port, method, path, headers, timeout: 15_000 }, (answer) =>
        resolve(readAnswer(answer)),
      );
      call.on("error", reject);
      call.on("timeout", () => call.destroy(new Error(`${method} ${path} had no answer within 15 s`)));
      call.end(body);
    });
  return {
    send,
    get: (path, headers = {}) => send("GET", path, headers, ""),
    post: (path, body, headers = {}) =>
      send("POST", path, { ...headers, "content-length": String(Buffer.byteLength(body)) }, body),
    close: () => agent.destroy(),
  };
}

/** The whole of an answer that has begun; rejects when its connection breaks. */
export function readAnswer(answer: IncomingMessage): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("error", reject);
    answer.on("end", () =>
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        body: Buffer.concat(chunks).toString(),
      }),
    );
  });
}
