import { afterAll, describe, test } from "vitest";
import { expectKept } from "./expect-kept.ts";
import { fsyncHeld } from "./fsync-held.ts";
import { lock } from "./lock.ts";
import { compileSlowFsync } from "./machine/slow-fsync.ts";
import { smallSizes as sizes } from "./promise-sizes.ts";
import { reports } from "./reports.ts";
import { stopping } from "./stopping.ts";

/** Null where nothing can delay an fsync: on anything but Linux, and without a C compiler. */
const slowFsync = await compileSlowFsync();

/** What these promise is a time, so that nothing else runs beside them. */
describe("promises, kept by a real service that is held up", { timeout: 900_000 }, () => {
  afterAll(() => slowFsync?.remove());

  test("while another process holds the write lock, reads go on and writes are refused honestly", async () => {
    await expectKept(lock(sizes.lock));
  });

  test("a service that is asked to stop under load answers every request that it took, and keeps what it said", async () => {
    await expectKept(stopping(sizes.stopping));
  });

  test("a report of a year is answered at once, and holds no decision up", async () => {
    await expectKept(reports(sizes.reports));
  });

  test.skipIf(slowFsync === null)(
    "while every fsync is held up, no write is acknowledged sooner",
    async () => {
      if (slowFsync === null) return;
      await expectKept(fsyncHeld(slowFsync, { heldMs: 300, writes: 4 }));
    },
  );
});
