import { setTimeout as pause } from "node:timers/promises";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import type { Service } from "./service.ts";
import { followLink, type Visitor } from "./visitor.ts";

/** What a visitor was handed, to be clicked later. */
export type Link = { visitor: Visitor; url: string };

/** One client for each service, of which each number has its own in turn. */
export type Clients = { at: (number: number) => HttpClient; close: () => void };

export function openClients(
  services: readonly Pick<Service, "url">[],
  connections = Number.POSITIVE_INFINITY,
): Clients {
  const clients = services.map(({ url }) => openHttpClient(url, connections));
  return {
    at: (number) => {
      const client = clients[number % clients.length];
      if (client === undefined) throw new Error("no service runs");
      return client;
    },
    close: () => {
      for (const client of clients) client.close();
    },
  };
}

/** Does it for 0, 1, 2 … `count - 1`, so many at a time. Answers in their order. */
export async function inTurns<T>(
  count: number,
  atOnce: number,
  run: (number: number) => Promise<T>,
): Promise<T[]> {
  const done: T[] = [];
  for (let first = 0; first < count; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => first + index);
    done.push(...(await Promise.all(some.map(run))));
  }
  return done;
}

/** A process that is killed breaks the connection, a full queue answers 503: a visitor would reload. */
export async function clickUntilTaken(client: HttpClient, { visitor, url }: Link): Promise<number> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const status = await followLink(client, visitor, url).then(
      (answer) => answer.status,
      () => 0,
    );
    if ((status !== 0 && status !== 503) || Date.now() > deadline) return status;
    await pause(100);
  }
}
