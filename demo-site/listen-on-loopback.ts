import { createServer, type RequestListener, type Server } from "node:http";

export type OpenSite = { port: number; addresses: readonly string[]; close: () => Promise<void> };
export type ListenRefusal = "port_taken" | "not_permitted" | "no_such_address";
type Listening = { ok: true; site: OpenSite } | { ok: false; reason: ListenRefusal };

/**
 * Listens on 127.0.0.1 and, where the machine has IPv6, on ::1 as well: `localhost` may mean either.
 * Port 0 takes a free one.
 */
export async function listenOnLoopback(handler: RequestListener, port: number): Promise<Listening> {
  const first = await listen(handler, port, "127.0.0.1");
  if (!first.ok) return first;
  const second = await listen(handler, first.port, "::1");
  if (second.ok) return { ok: true, site: siteOf([first, second]) };
  if (second.reason === "no_such_address") return { ok: true, site: siteOf([first]) };
  await stop(first.server);
  return second;
}

/** The reason why no server can listen there at this moment; null when one can. */
export async function listenRefusal(port: number, address: string): Promise<ListenRefusal | null> {
  const attempt = await listen(() => {}, port, address);
  if (!attempt.ok) return attempt.reason;
  await stop(attempt.server);
  return null;
}

type Opened = { ok: true; server: Server; port: number; address: string };

const refusals: Record<string, ListenRefusal> = {
  EADDRINUSE: "port_taken",
  EACCES: "not_permitted",
  EADDRNOTAVAIL: "no_such_address",
  EAFNOSUPPORT: "no_such_address",
};

async function listen(
  handler: RequestListener,
  port: number,
  address: string,
): Promise<Opened | { ok: false; reason: ListenRefusal }> {
  const server = createServer(handler);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, address, resolve);
    });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? refusals[String(error.code)] : undefined;
    if (reason === undefined) throw error;
    return { ok: false, reason };
  }
  const bound = server.address();
  return { ok: true, server, address, port: typeof bound === "object" && bound !== null ? bound.port : port };
}

function siteOf(opened: readonly Opened[]): OpenSite {
  return {
    port: opened[0]?.port ?? 0,
    addresses: opened.map(({ address }) => address),
    close: async () => {
      await Promise.all(opened.map(({ server }) => stop(server)));
    },
  };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
