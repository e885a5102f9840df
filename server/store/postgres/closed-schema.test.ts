import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findPostgres } from "../../testing/postgres-server.ts";
import { blocked, morning, visitOf } from "../conformance/journal-for-tests.ts";
import { openStore } from "../open-store.ts";
import { startServer, type TestServer } from "./database-for-tests.ts";
import { migrate, type Step } from "./migrate.ts";
import { openWriterSession } from "./writer-session.ts";

describe.skipIf(findPostgres() === null)(
  "a node that runs while a newer program closes the schema to it",
  () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server?.remove());

    it("records nothing from then on, says why, and tells its visits to come again", async () => {
      const { url, client, db, close } = await server.newDatabase();
      onTestFinished(close);
      const directory = mkdtempSync(join(tmpdir(), "closed-"));
      onTestFinished(() => rmSync(directory, { recursive: true }));
      const log: object[] = [];
      const store = await openStore({
        database: {
          ...{ engine: "postgres", url, durability: "relaxed", needsSyncStandby: false },
          spoolFile: join(directory, "spool.sqlite"),
        },
        clock: () => morning,
        log: (event) => log.push(event),
      });
      onTestFinished(() => store.close());
      await store.journal.append(blocked(visitOf("before")));
      const closing: Step = {
        version: 9999,
        oldestProgram: 9999,
        up: ["alter table fact drop column hints"],
      };
      await migrate(await client(), { steps: [closing] });
      const refuses = () =>
        expect(store.journal.append(blocked(visitOf("after")))).rejects.toMatchObject({
          retryAfterSeconds: expect.any(Number),
        });
      await refuses();
      const sentence = "which needs a program of version 9999 at least";
      while (!JSON.stringify(log).includes(sentence)) await new Promise((resume) => setImmediate(resume));
      await refuses();
      const facts = await db.selectFrom("fact").select("request").execute();
      expect(facts).toHaveLength(1);
    });

    it("does not begin again where it comes anew while that is committed", async () => {
      const { url, client, ask, close } = await server.newDatabase();
      onTestFinished(close);
      const session = () =>
        openWriterSession({
          address: {
            ...({ engine: "postgres", url, durability: "relaxed" } as const),
            ...{ needsSyncStandby: false, spoolFile: "" },
          },
          ...{ id: "node/plain", next: () => 1, onEnd: () => undefined },
        });
      (await session()).drop();
      const newer = await client();
      await newer.query("begin; update schema_state set version = 9999, oldest_program = 9999");
      await newer.query("update node set epoch = epoch + 1");
      const opening = session().then(
        (opened) => opened.drop(),
        (error: unknown) => error,
      );
      await expect.poll(() => ask("select 1 from pg_locks where not granted")).toHaveLength(1);
      await newer.query("commit");
      expect(await opening).toMatchObject({
        message: expect.stringContaining("needs a program of version 9999 at least"),
      });
    });
  },
);
