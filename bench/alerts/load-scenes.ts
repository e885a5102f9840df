import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { sendVisitors } from "./located-visitors.ts";
import { endService, type Scene, startWatched, type Watched } from "./scene.ts";

/** What the service takes (`server/http/server-limits.ts`), and some more. */
const crowd = 10_050;
/** More than five eighths of 8,000, from where on every document is refused (`server/core/load-shedding.ts`): from a half on some are. */
const slowCallers = 5200;
/** How many connections begin at once, so that none waits for long to be taken in. */
const together = 100;

/** Connections that stay open. */
export async function crowdedScene(): Promise<Scene> {
  const watched = await startWatched();
  const sockets = new Set<Socket>();
  let going = true;
  const knocking: Promise<void>[] = [];
  return {
    job: "offers-crowded",
    ports: [watched.port],
    faults: [
      {
        what: `${crowd} connections stay open, and more come`,
        fires: ["OffersConnectionsRefused"],
        make: async () => {
          const open = () => openConnection(watched, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", sockets);
          for (let count = 0; count < crowd; count += together) {
            await Promise.all(Array.from({ length: together }, open));
          }
          knocking.push(
            onAndOn(
              () => going,
              async () => {
                await open();
                await pause(200);
              },
            ),
          );
        },
      },
    ],
    stop: async () => {
      going = false;
      await Promise.all(knocking);
      for (const socket of sockets) socket.destroy();
      await endService(watched.service);
    },
  };
}

/** Thousands of calls whose end does not come. */
export async function overloadedScene(): Promise<Scene> {
  const watched = await startWatched();
  const { service, port, website } = watched;
  const sockets = new Set<Socket>();
  let going = true;
  const callers: Promise<void>[] = [];
  const head = [
    `POST /v1/events/impression?pub=${website.publicKey}&website=${website.websiteKey} HTTP/1.1`,
    ...["Host: x", `Origin: ${website.origin}`, "Content-Type: text/plain", "Content-Length: 100", "", "{"],
  ].join("\r\n");
  return {
    job: "offers-overloaded",
    ports: [port],
    faults: [
      {
        what: `${slowCallers} calls at once never come to their end`,
        fires: ["OffersOverloaded"],
        mayFire: ["OffersCallsFail"],
        make: async () => {
          const isGoing = () => going;
          for (let count = 0; count < slowCallers; count += together) {
            for (let caller = 0; caller < together; caller += 1)
              callers.push(
                onAndOn(isGoing, () => openConnection(watched, head, sockets, { untilClosed: true })),
              );
            await pause(50);
          }
          callers.push(
            onAndOn(isGoing, async () => {
              await fetch(`${service.url}/docs/guide`).then((answer) => answer.body?.cancel());
              await pause(500);
            }),
          );
        },
      },
    ],
    stop: async () => {
      going = false;
      for (const socket of sockets) socket.destroy();
      await Promise.all(callers);
      await endService(service);
    },
  };
}

/** A machine that has no time for the process: it stands still for most of each half second. */
export async function starvedScene(): Promise<Scene> {
  const { service, port, website } = await startWatched();
  const visitors = sendVisitors(service, website, { perSecond: 10, each: "decision" });
  let going = true;
  let starving: Promise<void> | null = null;
  return {
    job: "offers-starved",
    ports: [port],
    faults: [
      {
        what: "the process stands still for 400 of each 550 ms",
        fires: ["OffersVisitorsWait"],
        mayFire: ["OffersCommitsSlow"],
        make: async () => {
          starving = onAndOn(
            () => going,
            async () => {
              process.kill(service.pid, "SIGSTOP");
              await pause(400);
              process.kill(service.pid, "SIGCONT");
              await pause(150);
            },
          );
        },
      },
    ],
    stop: async () => {
      going = false;
      await starving;
      await visitors.stop();
      await endService(service);
    },
  };
}

const onAndOn = async (going: () => boolean, work: () => Promise<unknown>): Promise<void> => {
  while (going()) await work().catch(() => pause(100));
};

/** Resolves once it has an answer or is over; or only when it is over. */
const openConnection = (
  { service }: Pick<Watched, "service">,
  says: string,
  sockets: Set<Socket>,
  { untilClosed = false } = {},
): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname, () => socket.write(says));
    sockets.add(socket);
    socket.on("data", () => {
      if (!untilClosed) resolve();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      resolve();
    });
  });
