import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type ListenOptions, Server } from "node:net";

/**
 * Node takes one waiting connection of a listening socket in each turn of the event loop (libuv 1.46 and later). A turn
 * under load lasts tens of milliseconds, so of a thousand visitors who come in a second most would wait for many. As
 * many sockets that share the port are as many connections a turn (decisions.md#many-doors).
 */
const doors = 128;
/**
 * Connections that the system holds at each until they are taken. With Node's 511 a rush overruns it within one turn,
 * and whoever is dropped there comes again after 1, 3, 7 and more seconds.
 */
const backlog = 4096;

/** The doors beside a server's own. */
const besideOf = new WeakMap<HttpServer, Server[]>();

/**
 * Makes a server listen, by several sockets where the system lets them share a port (Linux). It is refused, with the
 * error `EADDRINUSE`, where anybody listens already: sharing would be silent.
 */
export async function openDoors(
  server: HttpServer,
  { host, port }: { host: string; port: number },
): Promise<AddressInfo> {
  const alone = createServer();
  const address = await listen(alone, { host, port, backlog });
  await new Promise((resolve) => alone.close(resolve));
  const shared = { host, port: address.port, backlog, reusePort: true };
  try {
    await listen(server, shared);
  } catch {
    return listen(server, { ...shared, reusePort: false });
  }
  const beside = Array.from({ length: doors - 1 }, () =>
    // As the HTTP server is at its own door.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket)),
  );
  besideOf.set(server, beside);
  await Promise.all(beside.map((door) => listen(door, shared)));
  return address;
}

/** Takes no more connections; `onClosed` is called when all that were taken have ended. None of them is closed. */
export function closeDoors(server: HttpServer, onClosed: () => void): void {
  const all: Server[] = [server, ...(besideOf.get(server) ?? [])];
  let open = all.length;
  const closed = (): void => {
    open -= 1;
    if (open === 0) onClosed();
  };
  // An HTTP server's own `close` would also end whatever connection is idle at this very moment.
  for (const door of all) Server.prototype.close.call(door, closed);
}

const listen = async (server: Server, options: ListenOptions): Promise<AddressInfo> => {
  server.listen(options);
  await once(server, "listening");
  return server.address() as AddressInfo;
};
