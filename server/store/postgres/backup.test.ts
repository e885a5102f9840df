import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newOperator } from "../../admin/operator-for-tests.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { audit } from "../books/audit.ts";
import { recount } from "../books/recount.ts";
import { blocked, hop, served, visitOf } from "../conformance/journal-for-tests.ts";
import { opening, sessionOf } from "../conformance/sessions-for-tests.ts";
import { newInstallation, noon } from "../move/installation-for-tests.ts";
import { moveToPostgres } from "../move/move.ts";
import { openStore } from "../open-store.ts";
import { openDatabase } from "./database.ts";

const run = promisify(execFile);
const programs = findPostgres("pg_dump");

describe.skipIf(programs === null)(
  "a backup of a PostgreSQL by the command that `admin backup` names",
  () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres({ programs, settings: { fsync: "off" } });
    });
    afterAll(() => server?.remove());

    const open = async (name: string) => {
      const address = {
        engine: "postgres",
        url: server.url(name),
        durability: "relaxed",
        needsSyncStandby: false,
      } as const;
      const { directory, remove } = await newInstallation({ visits: 1 });
      onTestFinished(remove);
      const store = await openStore({
        database: { ...address, spoolFile: join(directory, "spool.sqlite") },
        clock: () => noon,
        log: () => undefined,
      });
      onTestFinished(() => store.close());
      const db = openDatabase({ url: address.url, name: "a test" });
      onTestFinished(() => db.destroy());
      return { store, db };
    };

    it("is taken while a service records, and opens as a database that adds up, without what lets somebody in", async () => {
      await server.administer("create database before");
      await server.administer("create database after");
      const installation = await newInstallation();
      onTestFinished(installation.remove);
      await moveToPostgres({
        source: installation.source,
        to: server.url("before"),
        clock: () => noon,
        say: () => undefined,
      });
      const { store, db } = await open("before");
      const salts = (await db.selectFrom("visitor_salt").select("salt").execute()).map(({ salt }) => salt);
      expect(salts).toHaveLength(3);
      await db
        .insertInto("session")
        .values({
          hash: "h",
          user_id: 1,
          agent: "a",
          created_at: noon,
          seen_at: noon,
          signed_in_at: noon,
          expires_at: 9e15,
        })
        .execute();
      await db
        .insertInto("oauth_grant")
        .values({
          id: "g",
          client_id: "c",
          user_id: 1,
          publisher_id: "publisher_1",
          scopes_json: "[]",
          at: noon,
          last_used_at: null,
          revoked_at: null,
          changed: 1,
        })
        .execute();

      await db
        .insertInto("sign_in_link")
        .values({
          hash: "h",
          kind: "password",
          email: "ada@example.com",
          publisher_id: null,
          role: null,
          made_by: "tests",
          made_by_user: null,
          created_at: 1,
          expires_at: 9e15,
        })
        .execute();
      await db
        .insertInto("oauth_row")
        .values({
          model: "RefreshToken",
          id_hash: "h",
          payload_json: "{}",
          grant_id: "g",
          expires_at: 9e15,
          consumed_at: null,
        })
        .execute();
      const lettingIn = ["session", "sign_in_link", "oauth_row", "oauth_grant"] as const;
      await store.journal.append(opening(sessionOf(1, noon)));
      const declined = ["decline_session", "decline_kept"] as const;
      for (const table of [...lettingIn, ...declined, "visitor_salt"] as const) {
        expect(await db.selectFrom(table).selectAll().execute(), table).not.toEqual([]);
      }

      let [isOver, recorded] = [false, 0];
      const recording = (async () => {
        while (!isOver) {
          recorded += 1;
          const visit = visitOf(`b${recorded}`, { at: noon });
          await store.journal.append(blocked(visit));
          await store.journal.append(served(visit, [1]));
          await store.journal.append(hop(visit, 1));
        }
      })();
      const words = await commandOfAdmin(server.url("before"), join(installation.directory, "dump"));
      while (recorded < 20) await new Promise((resume) => setImmediate(resume));
      await run(join(programs ?? "", words[0] ?? ""), words.slice(1));
      const upToDump = recorded;
      while (recorded < upToDump + 20) await new Promise((resume) => setImmediate(resume));
      isOver = true;
      await recording;

      const dump = readFileSync(join(installation.directory, "dump"), "latin1");
      expect(dump.length).toBeGreaterThan(10_000);
      await run(join(programs ?? "", "pg_restore"), [
        ...["--exit-on-error", "--no-owner", `--dbname=${server.url("after")}`],
        join(installation.directory, "dump"),
      ]);
      const empty = openDatabase({ url: server.url("after"), name: "a test" });
      for (const table of [...lettingIn, ...declined, "visitor_salt", "rate_window", "node"] as const) {
        expect(await empty.withTables<Others>().selectFrom(table).selectAll().execute(), table).toEqual([]);
      }
      await empty.destroy();
      const after = await open("after");
      const facts = async (one: typeof db) =>
        (
          await one
            .selectFrom("fact")
            .select((eb) => eb.fn.countAll<number>().as("facts"))
            .executeTakeFirstOrThrow()
        ).facts;
      const kept = await facts(after.db);
      expect(kept).toBeGreaterThan(60);
      expect(kept).toBeLessThan(await facts(db));
      const { cells, differences } = await recount(after.db);
      expect(cells).toBeGreaterThan(0);
      expect(differences).toEqual([]);
      expect(await audit(after.db)).toMatchObject({ differences: [], lines: expect.any(Number) });
      const fresh = (await after.db.selectFrom("visitor_salt").select("salt").execute()).map(
        ({ salt }) => salt,
      );
      expect(fresh).toHaveLength(3);
      expect(fresh.filter((salt) => salts.includes(salt))).toEqual([]);
      const outcome = await after.store.journal.append(hop(visitOf("later", { at: noon }), 1));
      expect(outcome).toMatchObject({ refusal: "not_served" });
      await after.store.journal.append(opening(sessionOf(2, noon)));
      expect(
        await after.db.selectFrom("decline_kept").selectAll().orderBy("website_id").execute(),
      ).toMatchObject([{ sessions: 1 }, { sessions: 1 }]);
    }, 60_000);
  },
);

type Others = { rate_window: object; node: object };

/** The words of the command that the operator is told, for a file and a database. */
const commandOfAdmin = async (url: string, file: string): Promise<string[]> => {
  const operator = newOperator();
  onTestFinished(operator.leave);
  const env = {
    DATA_DIR: operator.dataDir,
    DATABASE_URL: url,
    TOKEN_SECRET: "a secret that is long enough for any of the tests",
  };
  const { code, err } = await operator.run(["backup", "--to", file], env);
  expect(code).toBe(2);
  const command = err.split("\n").find((line) => line.startsWith("pg_dump ")) ?? "";
  const page = readFileSync(new URL("../../../docs/postgresql.md", import.meta.url), "utf8");
  const onPage = page.replaceAll(/ *\\\n */g, " ").replace('--file="$BACKUPS/offers.dump"', "--file=F");
  expect(onPage, "the page and the command say the same").toContain(command);
  return command.replace("--file=F", `--file=${file}`).replace('"$DATABASE_URL"', url).split(" ");
};
