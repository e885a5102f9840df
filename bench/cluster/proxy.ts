import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How often each node is asked whether it takes calls. */
const lookEveryMs = 250;
const lookTimeoutMs = 1000;

export type LoadBalancer = {
  url: string;
  /** How many calls each node has answered, by its address. */
  answered: ReadonlyMap<string, number>;
  close(): Promise<void>;
};

/**
 * What stands before the nodes: it passes each call on to the next one that says it is ready, and says whose call it is. A
 * call without a body that a node has not begun to answer goes to another one when the node breaks off.
 */
export async function startProxy(nodes: readonly string[], { port = 0 } = {}): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: true });
  const answered = new Map(nodes.map((node) => [node, 0]));
  let ready: string[] = [];
  let turn = 0;

  const look = async (): Promise<void> => {
    const found = await Promise.all(nodes.map(async (node) => ((await isReady(node)) ? [node] : [])));
    ready = found.flat();
  };
  const pass = (call: IncomingMessage, answer: ServerResponse, tried: readonly string[]): void => {
    const left = ready.filter((node) => !tried.includes(node));
    const node = left[turn++ % Math.max(1, left.length)];
    if (node === undefined) {
      refuse(answer);
      return;
    }
    const from = [call.headers["x-forwarded-for"], call.socket.remoteAddress]
      .flat()
      .filter(Boolean)
      .join(", ");
    const outgoing = request(
      new URL(call.url ?? "/", node),
      { method: call.method, headers: { ...call.headers, "x-forwarded-for": from }, agent },
      (incoming) => {
        answered.set(node, (answered.get(node) ?? 0) + 1);
        answer.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
        incoming.pipe(answer);
        incoming.on("error", () => answer.destroy());
      },
    );
    outgoing.on("error", () => {
      ready = ready.filter((other) => other !== node);
      if (answer.headersSent) answer.destroy();
      else if (hasBody(call)) refuse(answer);
      else pass(call, answer, [...tried, node]);
    });
    answer.on("close", () => outgoing.destroy());
    call.pipe(outgoing);
  };
  const server = createServer((call, answer) => pass(call, answer, []));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  await look();
  const timer = setInterval(() => void look(), lookEveryMs);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    close: async () => {
      clearInterval(timer);
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const refuse = (answer: ServerResponse): void => {
  answer
    .writeHead(503, { "content-type": "text/plain", "retry-after": "1" })
    .end("No node takes calls just now.\n");
};

const isReady = async (node: string): Promise<boolean> => {
  try {
    const { ok, body } = await fetch(`${node}/readyz`, { signal: AbortSignal.timeout(lookTimeoutMs) });
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
};
