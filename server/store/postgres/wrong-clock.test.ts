import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { environmentOf } from "../../admin/operator-for-tests.ts";
import { runWith } from "../../admin/run-for-tests.ts";
import { findPostgres } from "../../testing/postgres-server.ts";
import { startServer, type TestServer } from "./database-for-tests.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.skipIf(findPostgres() === null)("commands on a machine whose clock is wrong", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.remove());

  /** An operator whose machine's clock is ahead by so much, on a database of their own. */
  const operatorAhead = async (aheadMs: number) => {
    const { url, close } = await server.newDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), "clock-"));
    const right = Date.now.bind(Date);
    const wrong = vi.spyOn(Date, "now").mockImplementation(() => right() + aheadMs);
    onTestFinished(async () => {
      wrong.mockRestore();
      rmSync(dataDir, { recursive: true });
      await close();
    });
    const env = environmentOf(
      { engine: "postgres", url, durability: "relaxed", needsSyncStandby: false, spoolFile: "" },
      dataDir,
    );
    const notes: string[] = [];
    const done = async (...words: string[]) => {
      const { code, out, err } = await runWith([...words, "--json"], { env, now: () => Date.now() });
      expect(code, err).toBe(0);
      notes.push(...err.split("\n").filter((line) => line.includes("clock")));
      return JSON.parse(out);
    };
    return { done, notes, right };
  };

  it.each([
    ["ahead", 26 * hourMs, "93600 s ahead of"],
    ["behind", -26 * hourMs, "93600 s behind"],
  ])("that is hours %s go by the database's, and say so", async (_, aheadMs, said) => {
    const { done, notes, right } = await operatorAhead(aheadMs);
    const { publisherId } = await done("publisher", "create", "--name", "Pier");
    const { keyId } = await done("key", "create", "--publisher", publisherId, "--days", "1");
    const { oldKeyExpiresAt } = await done("key", "rotate", "--key-id", keyId, "--overlap-hours", "2");
    const [last] = await done("activity", "list");
    const offMs = [oldKeyExpiresAt - 2 * hourMs, last.at].map((at) => Math.abs(at - right()));
    expect(Math.max(...offMs)).toBeLessThan(minuteMs);
    expect(new Set(notes)).toEqual(
      new Set([
        `note: this machine's clock is ${said} the database's, by which the command goes: set it (NTP)`,
      ]),
    );
    expect(notes).toHaveLength(4);
  });

  it("by less than a second go by it, and nothing is said", async () => {
    const { done, notes } = await operatorAhead(-400);
    await done("publisher", "create", "--name", "Pier");
    expect(notes).toEqual([]);
  });
});
