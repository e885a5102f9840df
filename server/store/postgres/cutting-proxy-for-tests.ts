import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * Stands between a client and a PostgreSQL server. `cutAt` breaks the next connection that commits: before the server has
 * heard of it, or after it has done it and before the client has.
 */
export type CuttingProxy = {
  port: number;
  /** How many there were so far. */
  connections(): number;
  /** Resolves when a connection was cut. */
  cutAt(moment: "before_commit" | "after_commit"): Promise<void>;
  /** From now on nobody gets through, and nobody who is through is heard; until `letThrough`. */
  shut(): void;
  letThrough(): void;
  /** From now on it is as a machine that has lost its power: it takes connections, and answers nothing, not even a farewell. */
  fallSilent(): void;
  close(): Promise<void>;
};

export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let armed: { moment: "before_commit" | "after_commit"; cut: () => void } | null = null;
  let isShut = false;
  let isSilent = false;
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    connections += 1;
    const upstream = connect(serverPort, "127.0.0.1");
    const cutBoth = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cutBoth).on("close", () => {
        sockets.delete(socket);
        cutBoth();
      });
    }
    client.on("end", () => {
      if (!isSilent) cutBoth();
    });
    if (isShut) return cutBoth();
    const cut = (): void => {
      armed?.cut();
      armed = null;
      cutBoth();
    };
    let hasSentCommit = false;
    client.on("data", (bytes: Buffer) => {
      if (isSilent) return;
      if (armed !== null && /\bcommit\b/i.test(bytes.toString("latin1"))) {
        if (armed.moment === "before_commit") return cut();
        hasSentCommit = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes: Buffer) => {
      if (isSilent) return;
      // The tag of a command that is complete.
      if (hasSentCommit && bytes.includes("COMMIT\0")) return cut();
      client.write(bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    cutAt: (moment) =>
      new Promise((resolve) => {
        armed = { moment, cut: resolve };
      }),
    shut: () => {
      isShut = true;
      for (const socket of sockets) socket.destroy();
    },
    letThrough: () => {
      isShut = false;
    },
    fallSilent: () => {
      isSilent = true;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
