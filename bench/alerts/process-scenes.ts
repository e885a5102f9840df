import { setTimeout as pause } from "node:timers/promises";
import { misbook } from "../fill.ts";
import { preloaded } from "../machine/preloaded.ts";
import { CommandFailed } from "../operator.ts";
import { backUp, endService, type Scene, scrapeSeconds, startNode, startWatched } from "./scene.ts";

const dayMs = 86_400_000;
/** Longer than the time between two scrapes, so that each start is seen. */
const scrapedMs = (scrapeSeconds + 2) * 1000;

const shiftedBy = (days: number): Record<string, string> => ({
  NODE_OPTIONS: preloaded("shifted-clock"),
  CLOCK_SHIFT_MS: String(days * dayMs),
});

/** The only node is gone. */
export async function stoppedScene(): Promise<Scene> {
  const { service, port } = await startWatched();
  return {
    job: "offers-stopped",
    ports: [port],
    faults: [
      {
        what: "the only node has ended",
        fires: ["OffersNoNodeReady", "OffersNodeAway"],
        make: async () => void (await service.terminate()),
      },
    ],
    stop: () => endService(service),
  };
}

/** One of two nodes is gone, and nobody is to be woken. */
export async function oneOfTwoScene(): Promise<Scene> {
  const one = await startWatched();
  const other = await startNode({ dataDir: one.service.dataDir });
  return {
    job: "offers-one-of-two",
    ports: [one.port, other.port],
    faults: [
      {
        what: "one node of two has ended",
        fires: ["OffersNodeAway"],
        make: async () => void (await other.service.terminate()),
      },
    ],
    stop: async () => {
      await endService(other.service);
      await endService(one.service);
    },
  };
}

/** A process that ends again and again. */
export async function restartingScene(): Promise<Scene> {
  const { service, port } = await startWatched();
  return {
    job: "offers-restarting",
    ports: [port],
    faults: [
      {
        what: "the process is killed and started anew three times",
        fires: ["OffersKeepsRestarting", "OffersErrorLogged"],
        make: async () => {
          for (let times = 0; times < 3; times += 1) {
            await pause(scrapedMs);
            await service.kill();
            await service.start();
          }
        },
      },
    ],
    stop: () => endService(service),
  };
}

/** It runs on for more than a year with what it came with, and has a leak. */
export async function agedScene(): Promise<Scene> {
  const { service, port } = await startWatched();
  return {
    job: "offers-aged",
    ports: [port],
    faults: [
      {
        what: "the clock says that it is 400 days later, and the process holds 1 GB that it does not need",
        fires: ["OffersGeoDataOld", "OffersNetworkListOld", "OffersMemoryHigh"],
        make: async () => {
          await service.terminate();
          const { NODE_OPTIONS, ...shift } = shiftedBy(400);
          await service.start({
            ...shift,
            NODE_OPTIONS: `${NODE_OPTIONS} ${preloaded("held-memory")}`,
            HELD_MEGABYTES: "1024",
          });
        },
      },
    ],
    stop: () => endService(service),
  };
}

/** An operator who has not read the page on backups yet. */
export async function neverBackedUpScene(): Promise<Scene> {
  const { service, port } = await startNode({});
  return {
    job: "offers-never-backed-up",
    ports: [port],
    faults: [
      { what: "nobody has ever made a backup", fires: ["OffersBackupOld"], make: () => Promise.resolve() },
    ],
    stop: () => endService(service),
  };
}

/** The last backup is of two days ago, and the books do not add up. */
export async function neglectedScene(): Promise<Scene> {
  const { service, port } = await startWatched();
  return {
    job: "offers-neglected",
    ports: [port],
    faults: [
      {
        what: "the last backup was made two days ago",
        fires: ["OffersBackupOld"],
        make: async () => {
          await service.terminate();
          await service.start(shiftedBy(-2));
          await backUp(service);
        },
      },
      {
        what: "an audit finds a micro-unit that no line of the ledger has",
        fires: ["OffersRunFailed"],
        make: async () => {
          misbook(await service.databaseFile());
          const failed = await service.admin("audit").catch((error: unknown) => error);
          if (!(failed instanceof CommandFailed)) throw new Error("the audit found nothing");
        },
      },
    ],
    stop: () => endService(service),
  };
}
