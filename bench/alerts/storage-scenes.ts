import { mkdtemp, rm, stat, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { holdWriteLock } from "../lock.ts";
import { compileSlowFsync } from "../machine/slow-fsync.ts";
import { mountSmallDisk } from "../machine/small-disk.ts";
import type { Skipped } from "../nemesis/trial.ts";
import { sendVisitors } from "./located-visitors.ts";
import { endService, type Scene, startWatched } from "./scene.ts";

const foreverMs = 3_600_000;
/** In this time more than the megabyte of lines comes together that waits for a reader at the most. */
const unreadMs = 90_000;
const toldWithinMs = 5000;
const visits = { perSecond: 4, each: "visit" } as const;

/** Another process has the database to itself. */
export async function lockedScene(): Promise<Scene> {
  const { service, port, website } = await startWatched();
  const visitors = sendVisitors(service, website, visits);
  let release = (): void => undefined;
  return {
    job: "offers-locked",
    ports: [port],
    faults: [
      {
        what: "another process holds the write lock",
        fires: [
          ...["OffersNotRecording", "OffersNoNodeReady", "OffersClicksUnbilled", "OffersCallsFail"],
          "OffersErrorLogged",
        ],
        mayFire: ["OffersNodeAway"],
        make: async () => {
          release = (await holdWriteLock(await service.databaseFile(), foreverMs)).end;
        },
      },
    ],
    stop: async () => {
      release();
      await visitors.stop();
      await endService(service);
    },
  };
}

/** The disk takes longer for everything that has to be durable. */
const slowedScene = async (
  job: string,
  micros: number,
  fault: Pick<Scene["faults"][number], "what" | "fires" | "mayFire">,
): Promise<Scene | Skipped> => {
  const slowFsync = await compileSlowFsync();
  if (slowFsync === null) return { skipped: `${fault.what}: needs Linux and a C compiler (cc)` };
  const directory = await mkdtemp(join(tmpdir(), "offers-delay-"));
  const delay = join(directory, "micros");
  const { service, port, website } = await startWatched({ environment: slowFsync.environmentByFile(delay) });
  const visitors = sendVisitors(service, website, visits);
  return {
    job,
    ports: [port],
    faults: [{ ...fault, make: () => writeFile(delay, String(micros)) }],
    stop: async () => {
      await visitors.stop();
      await endService(service);
      await slowFsync.remove();
      await rm(directory, { recursive: true });
    },
  };
};

export function slowDiskScene(): Promise<Scene | Skipped> {
  return slowedScene("offers-slow-disk", 300_000, {
    what: "the disk takes 300 ms for each fsync",
    fires: ["OffersCommitsSlow"],
    // A commit that folds the log in has three of them.
    mayFire: ["OffersCallsFail", "OffersClicksUnbilled"],
  });
}

export function hungDiskScene(): Promise<Scene | Skipped> {
  return slowedScene("offers-hung-disk", foreverMs * 1000, {
    what: "the disk answers no fsync, and refuses none",
    fires: ["OffersNotRecording"],
    // Whoever reads the catalogue folds the log as well, and may be waiting for the disk with that.
    mayFire: ["OffersCatalogueStale", "OffersCallsFail", "OffersClicksUnbilled", "OffersErrorLogged"],
  });
}

/** A disk on which other things grow. */
export async function smallDiskScene(): Promise<Scene | Skipped> {
  const disk = await mountSmallDisk(128);
  if (disk === null) return { skipped: "a disk fills up: one (tmpfs) can be mounted by root on Linux alone" };
  const { service, port } = await startWatched({ dataDir: disk.directory });
  const leave = async (share: number): Promise<void> => {
    const { bavail, blocks, bsize } = await statfs(disk.directory);
    const bytes = Math.max(0, Math.floor((bavail - blocks * share) * bsize));
    await writeFile(join(disk.directory, `other-${share}`), Buffer.alloc(bytes, 1));
  };
  return {
    job: "offers-small-disk",
    ports: [port],
    faults: [
      {
        what: "a tenth of the disk is left",
        fires: ["OffersDiskFilling"],
        make: () => leave(0.1),
      },
      {
        what: "three hundredths of the disk are left",
        fires: ["OffersDiskNearlyFull"],
        make: () => leave(0.03),
      },
    ],
    stop: async () => {
      await endService(service);
      await disk.remove();
    },
  };
}

/** What the service itself calls a large log (`server/store/sqlite/log-tidying.ts`). */
const largeLogBytes = 64 * 1024 * 1024;

/** Somebody reads the database without an end, while visitors come. */
export async function pinnedScene(): Promise<Scene> {
  const { service, port, website } = await startWatched();
  const file = await service.databaseFile();
  const visitors = sendVisitors(service, website, { perSecond: 3, each: "decision" });
  const reader = new Database(file, { readonly: true });
  return {
    job: "offers-pinned",
    ports: [port],
    faults: [
      {
        what: "a read that does not end keeps more than 64 MB from being folded in",
        fires: ["OffersWalSwollen"],
        make: async () => {
          reader.exec("begin");
          reader.prepare("select count(*) from fact").get();
          const crowd = sendVisitors(service, website, { perSecond: 150, each: "decision" });
          while ((await stat(`${file}-wal`)).size <= largeLogBytes) await pause(200);
          await crowd.stop();
        },
      },
    ],
    stop: async () => {
      await visitors.stop();
      reader.close();
      await endService(service);
    },
  };
}

/** Whoever collects the log stands still for a while, and lines are lost. */
export async function unreadLogScene(): Promise<Scene> {
  const event = '"log_lines_lost"';
  const told = Promise.withResolvers<void>();
  let read = "";
  const { service, port, website } = await startWatched({
    environment: { LOG_LEVEL: "info", ACCESS_LOG: "1" },
    // A line may come in two pieces.
    onOutput: (text) => {
      read = read.slice(-event.length) + text;
      if (read.includes(event)) told.resolve();
    },
  });
  const visitors = sendVisitors(service, website, { perSecond: 100, each: "decision" });
  return {
    job: "offers-unread-log",
    ports: [port],
    faults: [
      {
        what: "nobody read the log for a minute and a half, and it is read again",
        fires: ["OffersErrorLogged"],
        make: async () => {
          service.leaveLogUnread(true);
          await pause(unreadMs);
          service.leaveLogUnread(false);
          const late = pause(toldWithinMs).then(() =>
            Promise.reject(new Error("no line of the log was lost")),
          );
          await Promise.race([told.promise, late]);
        },
      },
    ],
    stop: async () => {
      await visitors.stop();
      await endService(service);
    },
  };
}
