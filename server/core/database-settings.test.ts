import { describe, expect, test } from "vitest";
import { type DatabaseSettings, settingsVerdict } from "./database-settings.ts";

const good: DatabaseSettings = {
  version: 150_018,
  encoding: "UTF8",
  isInRecovery: false,
  fsync: "on",
  fullPageWrites: "on",
  synchronousCommit: "on",
  synchronousStandbyNames: "",
};

describe("what is wrong with a server", () => {
  test.each<{ name: string; settings: Partial<DatabaseSettings>; needsSyncStandby?: boolean }>([
    { name: "one that waits for its disk", settings: {} },
    {
      name: "one that waits until its standby shows the commit",
      settings: { synchronousCommit: "remote_apply" },
    },
    { name: "a later version", settings: { version: 180_004 } },
    {
      name: "one with a standby where one is asked for",
      settings: { synchronousStandbyNames: "ANY 1 (a, b)" },
      needsSyncStandby: true,
    },
  ])("nothing: $name", ({ settings, needsSyncStandby = false }) => {
    expect(settingsVerdict({ ...good, ...settings }, { needsSyncStandby })).toEqual({
      refusals: [],
      risks: [],
    });
  });

  test.each<{ settings: Partial<DatabaseSettings>; says: RegExp }>([
    { settings: { version: 140_012 }, says: /^PostgreSQL 14 is too old: 15 or later is needed/ },
    { settings: { encoding: "SQL_ASCII" }, says: /encoding is SQL_ASCII.*ENCODING 'UTF8'/ },
    { settings: { isInRecovery: true }, says: /standby.*DATABASE_URL/ },
  ])("it cannot be used at all: $says", ({ settings, says }) => {
    const { refusals, risks } = settingsVerdict({ ...good, ...settings }, { needsSyncStandby: false });
    expect(refusals).toEqual([expect.stringMatching(says)]);
    expect(risks).toEqual([]);
  });

  test.each<{ settings: Partial<DatabaseSettings>; needsSyncStandby?: boolean; says: RegExp }>([
    { settings: { fsync: "off" }, says: /^fsync is off: .*ALTER SYSTEM SET fsync = 'on'/ },
    { settings: { fullPageWrites: "off" }, says: /^full_page_writes is off: .* full_page_writes = 'on'/ },
    ...["off", "local", "remote_write"].map((synchronousCommit) => ({
      settings: { synchronousCommit },
      says: new RegExp(`^synchronous_commit is ${synchronousCommit}: .* synchronous_commit = 'on'`),
    })),
    {
      settings: { synchronousStandbyNames: " " },
      needsSyncStandby: true,
      says: /^REQUIRE_SYNC_STANDBY is set.* synchronous_standby_names = 'ANY 1/,
    },
  ])("it may lose what it has acknowledged: $says", ({ settings, says, needsSyncStandby = false }) => {
    const { refusals, risks } = settingsVerdict({ ...good, ...settings }, { needsSyncStandby });
    expect(risks).toEqual([expect.stringMatching(says)]);
    expect(refusals).toEqual([]);
  });

  test("all of it is told at once", () => {
    const { refusals, risks } = settingsVerdict(
      { ...good, version: 130_000, encoding: "LATIN1", fsync: "off", fullPageWrites: "off" },
      { needsSyncStandby: true },
    );
    expect([refusals.length, risks.length]).toEqual([2, 3]);
  });
});
