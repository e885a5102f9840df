import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { blocked, hop, visitOf } from "../conformance/journal-for-tests.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy-for-tests.ts";
import { newWriterDatabase } from "./writer-for-tests.ts";

const patience = { timeout: 15_000, interval: 5 };
const moments = ["before_commit", "after_commit"] as const;
const request = (name: string) => visitOf(name).request;

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

  test.each(moments)("%s: the caller hears what became of it, and it is stored once", async (moment) => {
    const { writer, deaths } = await database.open({ port: proxy.port });
    const before = await writer.journal.append(hop(visitOf("before"), 1));
    const cut = proxy.cutAt(moment);
    const outcome = await writer.journal.append(hop(visitOf("r1"), 1));
    await cut;
    expect(outcome.eventId).not.toBe(before.eventId);
    expect(outcome.refusal).toBe(before.refusal);
    expect(await database.stored("click")).toEqual(
      new Map([
        [request("before"), 1],
        [request("r1"), 1],
      ]),
    );
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
      const refused = expect(appended).rejects.toMatchObject({ name: "JournalUnavailable" });
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

  test("a click that waits on is answered by what was decided", async () => {
    const { writer } = await database.open({ port: proxy.port });
    const before = await writer.journal.append(hop(visitOf("before"), 1));
    const cut = proxy.cutAt("after_commit");
    const click = writer.journal.append(hop(visitOf("r1"), 1));
    await cut.then(proxy.shut);
    await vi.waitFor(() => expect(writer.isRefusing()).toBe(true), patience);
    proxy.letThrough();
    expect(await click).toMatchObject({ refusal: before.refusal });
    expect((await database.stored("click")).get(request("r1"))).toBe(1);
  });
});
