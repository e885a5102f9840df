import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { environmentOf, newOperator } from "../../admin/operator-for-tests.ts";
import type { RefusedClick } from "../../core/journal-entry.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { byTests } from "../catalogue/catalogue-for-tests.ts";
import { createPublisher } from "../catalogue/publishers.ts";
import { blocked, hop, served, visitOf } from "../conformance/journal-for-tests.ts";
import { RefusedClicks } from "../journal/refused-clicks.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy-for-tests.ts";
import { openPostgresCatalogue } from "./open-catalogue.ts";
import { clickMicros, newWriterDatabase } from "./writer-for-tests.ts";

const patience = { timeout: 15_000, interval: 5 };
const moments = ["before_commit", "after_commit"] as const;
const request = (name: string) => visitOf(name).request;
const cell: RefusedClick["cell"] = {
  ...{ websiteId: 1, country: "DE", region: "", vertical: "news", currency: "EUR" },
  ...{ surface: "overlay", test: false, device: 0 },
};

describe.skipIf(findPostgres() === null)("a connection that breaks at the commit", () => {
  let server: PostgresServer;
  let proxy: CuttingProxy;
  let database: Awaited<ReturnType<typeof newWriterDatabase>>;
  beforeAll(async () => {
    server = await startPostgres();
    proxy = await startCuttingProxy(server.port);
  });
  afterAll(async () => {
    await proxy.close();
    await server.remove();
  });
  beforeEach(async () => {
    database = await newWriterDatabase(server);
    return database.close;
  });

  /** Whether commits wait for a standby, of which there is none. */
  const setStandby = async (names: string): Promise<void> => {
    await server.administer(`alter system set synchronous_standby_names = '${names}'`);
    await server.administer("select pg_reload_conf()");
    await vi.waitFor(async () => {
      const [shown] = await database.ask<{ names: string }>(
        "select current_setting('synchronous_standby_names') as names",
      );
      expect(shown?.names).toBe(names);
    }, patience);
  };

  test.each(moments)("%s: the caller hears what became of it, and it is stored once", async (moment) => {
    const { writer, deaths } = await database.open({ port: proxy.port });
    await writer.journal.append(served(visitOf("r1"), [1]));
    const cut = proxy.cutAt(moment);
    const outcome = await writer.journal.append(hop(visitOf("r1"), 1));
    await cut;
    expect(outcome).toMatchObject({ refusal: null, billedMicros: clickMicros });
    expect(await database.stored("click")).toEqual(new Map([[request("r1"), 1]]));
    expect(await database.spent()).toBe(clickMicros);
    expect(writer.isRefusing()).toBe(false);
    expect(deaths).toEqual([]);
  });

  test.each(moments)(
    "%s, and nobody can be asked for longer than anybody waits: callers are told no, and what comes again is stored once",
    async (moment) => {
      const { writer, deaths } = await database.open({ port: proxy.port });
      await writer.journal.append(blocked(visitOf("before")));
      const cut = proxy.cutAt(moment);
      const appended = writer.journal.append(blocked(visitOf("r1")));
      const refused = expect(appended).rejects.toMatchObject({ name: "StorageUnavailable" });
      expect(await writer.journal.keep(blocked(visitOf("r2")), 0)).toBe("pending");
      await cut.then(proxy.shut);
      await refused;
      expect(writer.isRefusing()).toBe(true);
      // One that was in no batch yet must not be taken for one of it.
      expect(await writer.journal.keep(blocked(visitOf("r3")), 0)).toBe("pending");
      proxy.letThrough();
      await vi.waitFor(() => expect(writer.journal.waiting()).toBe(0), patience);
      const stored = await database.stored("blocked");
      const committed = moment === "after_commit" ? ["before", "r1", "r2", "r3"] : ["before", "r2", "r3"];
      expect(new Map([...stored].sort())).toEqual(new Map(committed.map((name) => [request(name), 1])));
      expect(deaths).toEqual([]);
    },
  );

  test.each(moments)("%s: a command does not say that nothing was changed", async (moment) => {
    const url = server.url(database.name).replace(`:${server.port}/`, `:${proxy.port}/`);
    const options = {
      engine: "postgres",
      durability: "full",
      needsSyncStandby: false,
      spoolFile: "",
    } as const;
    const catalogue = await openPostgresCatalogue({ ...options, url, ...byTests });
    const cut = proxy.cutAt(moment);
    const error = await createPublisher(catalogue, { name: "A" }, { now: 1 }).catch((thrown) => thrown);
    await cut;
    expect(catalogue.troubleOf(error)).toMatchObject({ isLocked: false, isCommitUnknown: true });
    const stored = await database.ask("select name from publisher where name = 'A'");
    expect(stored).toHaveLength(moment === "after_commit" ? 1 : 0);
    await catalogue.close();
    const operator = newOperator();
    const again = proxy.cutAt(moment);
    const env = environmentOf({ ...options, url }, operator.dataDir);
    const { code, err } = await operator.run(["publisher", "create", "--name", "B"], env);
    await again;
    await operator.leave();
    expect(code).toBe(3);
    expect(err).toMatch(/was lost as the change was written .*: it is not known whether it was; look before/);
    expect(err).not.toContain("nothing was changed");
  });

  test("a click that waits on is answered by what was decided", async () => {
    const { writer } = await database.open({ port: proxy.port });
    await writer.journal.append(served(visitOf("r1"), [1]));
    const cut = proxy.cutAt("after_commit");
    const click = writer.journal.append(hop(visitOf("r1"), 1));
    await cut.then(proxy.shut);
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(true), patience);
    proxy.letThrough();
    expect(await click).toMatchObject({ refusal: null, billedMicros: clickMicros });
    expect(await database.spent()).toBe(clickMicros);
    expect((await database.stored("click")).get(request("r1"))).toBe(1);
  });

  test.each(moments)("%s: clicks that are only counted come again, and are counted once", async (moment) => {
    const { writer, deaths } = await database.open({ port: proxy.port });
    await writer.journal.append(served(visitOf("r1"), [1]));
    const clicks = new RefusedClicks(writer.journal);
    const noted: RefusedClick = { cell, offer: 1, placement: "premium" };
    const cut = proxy.cutAt(moment);
    clicks.note(noted, Date.now());
    const flushed = clicks.flush();
    await cut.then(proxy.shut);
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(true), patience);
    clicks.note(noted, Date.now());
    proxy.letThrough();
    await flushed;
    await clicks.flush();
    expect(await database.ask("select sum(events)::int as events from unkept_event")).toEqual([
      { events: 2 },
    ]);
    expect(deaths).toEqual([]);
  });

  test("a wait for a standby that somebody cancels is no commit that anybody may rely on", {
    timeout: 60_000,
  }, async () => {
    const { writer, deaths } = await database.open();
    for (const name of ["r0", "r1"]) await writer.journal.append(served(visitOf(name), [1]));
    // The first click opens the offer's row in a transaction of its own.
    await writer.journal.append(hop(visitOf("r0"), 1));
    await setStandby("*");
    try {
      const click = writer.journal.append(hop(visitOf("r1"), 1));
      const refused = expect(click).rejects.toMatchObject({ name: "StorageUnavailable" });
      const cancelled = await vi.waitFor(async () => {
        const rows = await database.ask(
          `select pg_cancel_backend(pid) from pg_stat_activity
           where wait_event = 'SyncRep' and query ilike 'commit%' and datname = '${database.name}'`,
        );
        expect(rows).toHaveLength(1);
        return rows;
      }, patience);
      expect(cancelled).toHaveLength(1);
      await refused;
      expect(writer.isRefusing()).toBe(true);
    } finally {
      await setStandby("");
    }
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(false), patience);
    expect(await database.spent()).toBe(2 * clickMicros);
    expect(deaths).toEqual([]);
  });

  test("a commit that hangs is given up, and stands once it is done after all", {
    timeout: 60_000,
  }, async () => {
    const { writer, deaths } = await database.open();
    for (const name of ["r0", "r1"]) await writer.journal.append(served(visitOf(name), [1]));
    // The first click opens the offer's row in a transaction of its own.
    await writer.journal.append(hop(visitOf("r0"), 1));
    await setStandby("*");
    try {
      expect(await writer.journal.keep(blocked(visitOf("r2")), 0)).toBe("pending");
      const sentAt = performance.now();
      await expect(writer.journal.append(hop(visitOf("r1"), 1))).rejects.toMatchObject({
        name: "StorageUnavailable",
      });
      expect(performance.now() - sentAt).toBeLessThan(6000);
    } finally {
      await setStandby("");
    }
    await vi.waitFor(() => expect(writer.journal.waiting()).toBe(0), patience);
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(false), patience);
    expect(await database.stored("blocked")).toEqual(new Map([[request("r2"), 1]]));
    expect(await database.stored("click")).toEqual(
      new Map([
        [request("r0"), 1],
        [request("r1"), 1],
      ]),
    );
    expect(await database.spent()).toBe(2 * clickMicros);
    expect(deaths).toEqual([]);
  });
});
