import { connect, type Socket } from "node:net";

export type LoopResult = {
  perSecond: number;
  /** How often each status came. */
  statuses: Record<number, number>;
};

/**
 * Sends every request text over `connections` kept-alive connections, each sending its next one as soon
 * as its answer is complete. It reads no more of an answer than its end: Node's own client costs more
 * than the services it would measure here.
 */
export async function closedLoop(
  url: string,
  requests: readonly string[],
  connections: number,
): Promise<LoopResult> {
  const { hostname, port } = new URL(url);
  const statuses: Record<number, number> = {};
  let next = 0;
  const take = (): string | undefined => requests[next++];
  const from = performance.now();
  await Promise.all(
    Array.from({ length: Math.min(connections, requests.length) }, () =>
      sendOneByOne(connect({ host: hostname, port: Number(port), noDelay: true }), take, (status) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    ),
  );
  return { perSecond: (requests.length / (performance.now() - from)) * 1000, statuses };
}

/** The text of one request; `headers` end up as they are. */
export function requestText(
  method: "GET" | "POST",
  path: string,
  headers: Record<string, string>,
  body = "",
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === "POST" ? `content-length: ${Buffer.byteLength(body)}\r\n` : "";
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join("")}${length}\r\n${body}`;
}

const sendOneByOne = (
  socket: Socket,
  take: () => string | undefined,
  count: (status: number) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let received = "";
    const sendNext = (): void => {
      const text = take();
      if (text !== undefined) socket.write(text);
      else socket.end(resolve);
    };
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the service closed a connection that was in use")));
    socket.once("connect", sendNext);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const length = answerLength(received);
      if (length === null || received.length < length) return;
      count(Number(received.slice(9, 12)));
      received = received.slice(length);
      sendNext();
    });
  });

/** How long the first answer in the text is, head and body; null while that cannot be told yet. */
const answerLength = (text: string): number | null => {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return null;
  const headers = text.slice(0, head).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(headers)?.[1];
  if (length !== undefined) return head + 4 + Number(length);
  if (!headers.includes("\r\ntransfer-encoding: chunked")) return head + 4;
  const lastChunk = "\r\n0\r\n\r\n";
  const end = text.indexOf(lastChunk, head + 4);
  return end < 0 ? null : end + lastChunk.length;
};
