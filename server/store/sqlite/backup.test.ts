import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { publisherInput } from "@offers/contract/catalogue";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { dayMs } from "../../core/utc-day.ts";
import { createPartner } from "../catalogue/oauth-clients.ts";
import { createGrant } from "../catalogue/oauth-grants.ts";
import { createPublisher, listPublishers } from "../catalogue/publishers.ts";
import { createUserWithLink } from "../catalogue/sign-in-links.ts";
import { opening, sessionOf } from "../conformance/sessions-for-tests.ts";
import { openStore } from "../open-store.ts";
import { backUp } from "./backup.ts";
import { openDatabase } from "./database.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { housekeep } from "./housekeeping.ts";

const noon = Date.UTC(2026, 4, 4, 12);

const freshCatalogue = async () => {
  const catalogue = await newCatalogueFile(tmpdir());
  onTestFinished(() => catalogue.close());
  return { ...catalogue, folder: dirname(catalogue.file) };
};

const named = (name: string) => publisherInput.parse({ name });

describe("a backup", () => {
  it("holds what was committed before it, and not what came after", async () => {
    const { sqlite, folder, ...catalogue } = await freshCatalogue();
    await createPublisher(catalogue, named("before"), { now: 1 });
    const file = join(folder, "copy.sqlite");
    const backup = await backUp(sqlite, file);
    await createPublisher(catalogue, named("after"), { now: 2 });
    expect(backup).toEqual({ ok: true, file, bytes: readFileSync(file).length });
    const copy = openDatabase({ file, durability: "full" });
    expect(await listPublishers(copy.db)).toMatchObject([{ name: "before" }]);
    await copy.db.destroy();
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("is taken while another connection is in the middle of writing, without what that has not committed", async () => {
    const { db, sqlite, folder } = await freshCatalogue();
    const writer = openDatabase({ file: sqlite.name, durability: "relaxed" });
    writer.sqlite.exec(
      "begin immediate; insert into publisher (number, id, name, public_key, created_at, changed) values (9, 'publisher_x', 'x', 'pub_x', 1, 1)",
    );
    const file = join(folder, "copy.sqlite");
    await backUp(sqlite, file);
    writer.sqlite.exec("commit");
    await writer.db.destroy();
    expect(await listPublishers(db)).toHaveLength(1);
    const copy = openDatabase({ file, durability: "full" });
    expect(await listPublishers(copy.db)).toEqual([]);
    await copy.db.destroy();
  });

  it("holds no visitor salts, not even as bytes that were deleted, and new ones come when it is used", async () => {
    const { db, sqlite, folder } = await freshCatalogue();
    await housekeep({ db, sqlite }, noon, 0);
    const salts = (await db.selectFrom("visitor_salt").selectAll().execute()).map(({ salt }) => salt);
    expect(salts).toHaveLength(3);
    const file = join(folder, "copy.sqlite");
    await backUp(sqlite, file);
    const bytes = readFileSync(file, "latin1");
    expect(salts.filter((salt) => bytes.includes(salt))).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual(["copy.sqlite"]);
    expect(await db.selectFrom("visitor_salt").selectAll().execute()).toHaveLength(3);

    const store = await openStore({
      database: { engine: "sqlite", file, durability: "full" },
      clock: () => noon,
      log: () => undefined,
    });
    await store.close();
    const restored = openDatabase({ file, durability: "full" });
    const fresh = (await restored.db.selectFrom("visitor_salt").selectAll().execute()).map(
      ({ salt }) => salt,
    );
    await restored.db.destroy();
    expect(fresh).toHaveLength(3);
    expect(fresh.filter((salt) => salts.includes(salt))).toEqual([]);
  });

  it("holds no session, link or partner's connection, which may have been ended since", async () => {
    const { sqlite, folder, ...catalogue } = await freshCatalogue();
    const { db } = catalogue;
    const { publisherId } = await createPublisher(catalogue, named("connected"), { now: 1 });
    const input = { name: "Tide Tables", redirectUris: ["https://tide.example/back"] };
    const { clientId } = await createPartner(catalogue, input, 1);
    await createGrant(catalogue, {
      ...{ grantId: "grant", clientId, publisherId, userId: 1, at: 1 },
      scopes: ["reports:read"],
    });
    const invited = { email: "ada@example.com", isOperator: false, madeBy: "tests" };
    const { userId } = await createUserWithLink(catalogue, invited, 1);
    const signedIn = { hash: "h", user_id: userId, agent: "", created_at: 1, seen_at: 1, signed_in_at: 1 };
    await db
      .insertInto("session")
      .values({ ...signedIn, expires_at: 9e15 })
      .execute();
    const token = { model: "RefreshToken", id_hash: "h", payload_json: "{}", grant_id: "grant" };
    await db
      .insertInto("oauth_row")
      .values({ ...token, expires_at: 9e15, consumed_at: null })
      .execute();
    const file = join(folder, "copy.sqlite");
    await backUp(sqlite, file);
    const copy = openDatabase({ file, durability: "full" });
    for (const table of ["session", "sign_in_link", "oauth_row", "oauth_grant"] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toHaveLength(1);
      expect(await copy.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
    await copy.db.destroy();
  });

  it("holds no decline session, not even as bytes that were deleted, and counts none", async () => {
    const { db, sqlite, folder } = await freshCatalogue();
    const openedAt = (file: string) =>
      openStore({
        database: { engine: "sqlite", file, durability: "full" },
        clock: () => noon,
        log: () => undefined,
      });
    const session = sessionOf(1, noon);
    const store = await openedAt(sqlite.name);
    await store.journal.append(opening(session));
    await store.close();
    const file = join(folder, "copy.sqlite");
    await backUp(sqlite, file);
    const bytes = readFileSync(file, "latin1");
    expect([session.sessionId, session.visitor ?? ""].filter((one) => bytes.includes(one))).toEqual([]);
    expect(await db.selectFrom("decline_session").selectAll().execute()).toHaveLength(1);

    const restored = await openedAt(file);
    expect(await restored.declineSession(session.sessionId)).toBeNull();
    await restored.journal.append(opening(sessionOf(2, noon)));
    await restored.close();
    const copy = openDatabase({ file, durability: "full" });
    expect(await copy.db.selectFrom("decline_kept").selectAll().orderBy("website_id").execute()).toEqual([
      { website_id: 0, sessions: 1 },
      { website_id: session.websiteId, sessions: 1 },
    ]);
    await copy.db.destroy();
  });

  it("replaces an older one", async () => {
    const { sqlite, folder, ...catalogue } = await freshCatalogue();
    const file = join(folder, "copy.sqlite");
    await backUp(sqlite, file);
    await createPublisher(catalogue, named("new"), { now: 1 });
    await backUp(sqlite, file);
    const copy = openDatabase({ file, durability: "full" });
    expect(await listPublishers(copy.db)).toHaveLength(1);
    await copy.db.destroy();
  });

  it.each([
    ["a directory that is not there", (folder: string) => join(folder, "none", "copy.sqlite")],
    ["a directory", (folder: string) => folder],
    ["the database itself", (folder: string) => join(folder, "offers.sqlite")],
    [
      "the database by way of a link",
      (folder: string) => {
        symlinkSync(".", join(folder, "link"));
        return join(folder, "link", "offers.sqlite");
      },
    ],
    ["the database's log", (folder: string) => join(folder, "offers.sqlite-wal")],
    ["the memory that its connections share", (folder: string) => join(folder, "offers.sqlite-shm")],
  ])("refuses to be written to %s", async (_name, fileIn) => {
    const { sqlite, folder } = await freshCatalogue();
    const file = fileIn(folder);
    const before = readdirSync(folder);
    expect(await backUp(sqlite, file)).toMatchObject({ ok: false });
    expect(readdirSync(folder)).toEqual(before);
  });

  it("keeps the older one when the new one cannot be finished", async () => {
    const { sqlite, folder } = await freshCatalogue();
    const file = join(folder, "copy.sqlite");
    writeFileSync(file, "older");
    sqlite.close();
    await expect(backUp(sqlite, file)).rejects.toThrow();
    expect(readFileSync(file, "utf8")).toBe("older");
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("says that the file cannot be written, and not that the database cannot be used", async () => {
    const { sqlite, folder } = await freshCatalogue();
    // With what it is called until it is whole, that is longer than a name may be.
    const file = join(folder, "x".repeat(250));
    expect(await backUp(sqlite, file)).toEqual({ ok: false, message: "cannot be written (ENAMETOOLONG)" });
  });

  it("keeps the older one when the copy is damaged, and says what is wrong", async () => {
    const { sqlite, folder } = await freshCatalogue();
    const file = join(folder, "copy.sqlite");
    writeFileSync(file, "older");
    sqlite.exec("create table damaged (x integer check (x > 0))");
    sqlite.pragma("ignore_check_constraints = 1");
    sqlite.exec("insert into damaged values (-1)");
    expect(await backUp(sqlite, file)).toEqual({
      ok: false,
      message: expect.stringMatching(/^the copy is damaged: CHECK constraint failed in damaged; /),
    });
    expect(readFileSync(file, "utf8")).toBe("older");
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("removes what a process has left that is no more, and leaves another's alone", async () => {
    const { sqlite, folder } = await freshCatalogue();
    const file = join(folder, "copy.sqlite");
    const gone = spawnSync(process.execPath, ["--version"]).pid;
    const [running, other] = [`copy.sqlite.${process.ppid}.partial`, "other.sqlite.1.partial"];
    for (const name of [
      `copy.sqlite.${gone}.partial`,
      `copy.sqlite.${gone}.partial-journal`,
      // Programs of earlier days gave it no number.
      ...["copy.sqlite.partial", "copy.sqlite.partial-journal", "copy.sqlite.partial-wal"],
      running,
      other,
    ]) {
      writeFileSync(join(folder, name), "salts");
    }
    expect(await backUp(sqlite, file)).toMatchObject({ ok: true });
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([running, other]);
    // The machine has started anew since, and its number is another's.
    const longAgo = new Date(Date.now() - 2 * dayMs);
    utimesSync(join(folder, running), longAgo, longAgo);
    expect(await backUp(sqlite, file)).toMatchObject({ ok: true });
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([other]);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "leaves nothing behind when %s ends it",
    async (signal) => {
      const { sqlite, folder } = await freshCatalogue();
      const before = process.listeners(signal);
      const kill = vi.spyOn(process, "kill").mockReturnValue(true);
      const backing = backUp(sqlite, join(folder, "copy.sqlite"));
      expect(readdirSync(folder)).toContain(`copy.sqlite.${process.pid}.partial`);
      const [ours] = process.listeners(signal).filter((one) => !before.includes(one));
      ours?.(signal);
      expect(kill).toHaveBeenCalledWith(process.pid, signal);
      expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual([]);
      kill.mockRestore();
      // The process would be no more, and goes on here.
      await backing;
      expect(process.listeners(signal)).toEqual(before);
      expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
    },
  );
});
