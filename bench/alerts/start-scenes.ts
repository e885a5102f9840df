import type { Skipped } from "../nemesis/trial.ts";
import { crowdedScene, overloadedScene, starvedScene } from "./load-scenes.ts";
import { frozenCatalogueScene, lostDatabaseScene } from "./postgres-scenes.ts";
import {
  agedScene,
  neglectedScene,
  neverBackedUpScene,
  oneOfTwoScene,
  restartingScene,
  stoppedScene,
} from "./process-scenes.ts";
import type { Scene } from "./scene.ts";
import {
  hungDiskScene,
  lockedScene,
  pinnedScene,
  slowDiskScene,
  smallDiskScene,
  unreadLogScene,
} from "./storage-scenes.ts";
import { abandonedScene, misplacedScene } from "./visitor-scenes.ts";
import { wellOnPostgres, wellOnSqlite } from "./well-scenes.ts";

/** Those whose faults take longest come first. */
const allScenes: Readonly<Record<string, () => Promise<Scene | Skipped>>> = {
  well: () => wellOnSqlite(3),
  wellOnPostgres: () => wellOnPostgres(3),
  abandoned: abandonedScene,
  lostDatabase: lostDatabaseScene,
  frozenCatalogue: frozenCatalogueScene,
  locked: lockedScene,
  hungDisk: hungDiskScene,
  slowDisk: slowDiskScene,
  smallDisk: smallDiskScene,
  pinned: pinnedScene,
  unreadLog: unreadLogScene,
  misplaced: misplacedScene,
  crowded: crowdedScene,
  overloaded: overloadedScene,
  starved: starvedScene,
  stopped: stoppedScene,
  oneOfTwo: oneOfTwoScene,
  restarting: restartingScene,
  aged: agedScene,
  neglected: neglectedScene,
  neverBackedUp: neverBackedUpScene,
};

/** So many services start at once. */
const together = 3;

/** Starts those that are named, or all; `skipped` are those that need what this machine has not. */
export async function startScenes(
  only: readonly string[] | null,
): Promise<{ scenes: Scene[]; skipped: string[] }> {
  const unknown = only?.filter((name) => !(name in allScenes)) ?? [];
  if (unknown.length > 0) throw new Error(`no such scene: ${unknown.join(", ")}`);
  const scenes: Scene[] = [];
  const skipped: string[] = [];
  const waiting = Object.entries(allScenes).filter(([name]) => only?.includes(name) !== false);
  const startOnAndOn = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const made = await next[1]();
      if ("skipped" in made) skipped.push(made.skipped);
      else scenes.push(made);
    }
  };
  const started = await Promise.allSettled(Array.from({ length: together }, startOnAndOn));
  const failed = started.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    await stopScenes(scenes);
    throw failed.reason;
  }
  return { scenes, skipped };
}

/** Ends all of them, even where one cannot be ended. */
export async function stopScenes(scenes: readonly Scene[]): Promise<void> {
  const stopped = await Promise.allSettled(scenes.map(({ stop }) => stop()));
  const failed = stopped.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
