import type { Broken } from "./trial.ts";

const batch = "server/store/sqlite/write-batch.ts";

export const acknowledgesBeforeCommit: Broken = {
  name: "answers first, and commits up to 50 ms later",
  engines: ["sqlite"],
  edits: [
    {
      file: batch,
      old: "    takeWriteLock(sqlite, lockWaitMs);\n",
      new: `    if (!sqlite.inTransaction) {
      takeWriteLock(sqlite, lockWaitMs);
      setTimeout(() => sqlite.inTransaction && commit.run(), 50);
    }
`,
    },
    { file: batch, old: "      commit.run();\n    } catch (error) {", new: "    } catch (error) {" },
  ],
};

export const commitsAsynchronously: Broken = {
  name: "takes synchronous_commit = off",
  engines: ["postgres"],
  edits: [
    {
      file: "server/store/postgres/writer-settings.ts",
      old: '  jit: "off",\n',
      new: '  jit: "off",\n  synchronous_commit: "off",\n',
    },
    {
      file: "server/core/database-settings.ts",
      old: 'const waitsForDisk = new Set(["on", "remote_apply"]);',
      new: 'const waitsForDisk = new Set(["on", "remote_apply", "off"]);',
    },
  ],
};

export const forgetsAnswers: Broken = {
  name: "does not know an idempotency key again after a start",
  edits: [
    {
      file: "server/store/journal/record-server-event.ts",
      old: "const before = answers.find(scope, key);",
      new:
        "const met: Set<unknown> = ((globalThis as { met?: Set<unknown> }).met ??= new Set());\n" +
        "  const before = met.size === met.add(scope + key).size ? answers.find(scope, key) : undefined;",
    },
  ],
};

export const syncsRarely: Broken = {
  name: "opens the database with synchronous = NORMAL",
  engines: ["sqlite"],
  edits: [
    {
      file: "server/store/sqlite/open-sqlite.ts",
      old: '"synchronous", durability === "full" ? 2 : 1)',
      new: '"synchronous", durability === "full" ? 1 : 1)',
    },
  ],
};

export const takesCopiesForClicks: Broken = {
  name: "does not know a link that was followed before",
  edits: [
    {
      file: "server/store/journal/record-click.ts",
      old: "if (click !== null && (isHop ? click.hopAt : click.beaconAt) !== null) {",
      new: "if (click !== null && !isHop && click.beaconAt !== null) {",
    },
    {
      file: "server/store/journal/record-click.ts",
      old: "limit: mayBill ? limitOf(entry, billed) : null,",
      new: "limit: mayBill && billed === null ? limitOf(entry, billed) : null,",
    },
    {
      file: "server/store/migrations/0001-tables.ts",
      old: "create unique index ledger_line_once on",
      new: "create index ledger_line_once on",
    },
    {
      file: "server/store/postgres/layout.ts",
      old: "create unique index ledger_line_once on",
      new: "create index ledger_line_once on",
    },
  ],
};

export const ignoresOthersSpending: Broken = {
  name: "remembers what was spent though another process has spent since",
  engines: ["sqlite"],
  edits: [
    {
      file: batch,
      old: "if (version !== seenVersion) forgetRows();",
      new: "if (seenVersion < 0) forgetRows();",
    },
  ],
};

export const forgetsTheDay: Broken = {
  name: "does not count what the day has cost",
  engines: ["sqlite"],
  edits: [
    {
      file: "server/core/budget.ts",
      old: "isWithin(day.clicks + charge.clicks, caps.dailyClickCap)",
      new: "isWithin(charge.clicks, caps.dailyClickCap)",
    },
  ],
};

/** Some time passes between the two, so that another node's batch surely comes between them. */
export const readsBudgetUnlocked: Broken = {
  name: "reads what was spent, and writes it later",
  engines: ["postgres"],
  edits: [
    {
      file: "server/store/postgres/read-spends.ts",
      old: "order by s.subject, s.day for no key update of s`",
      new: "cross join pg_sleep(0.03) later order by s.subject, s.day`",
    },
  ],
};

/** Some time passes between the two, so that a batch surely comes between them. */
export const takesBackUnlocked: Broken = {
  name: "takes back by what was spent before",
  engines: ["postgres"],
  edits: [
    {
      file: "server/store/catalogue/payments.ts",
      old: '    const before = await requireAdvertiser(tx.db, id);\n    requireMeant(before, payment, "adjusted");',
      new: '    const before = await requireAdvertiser(tx.db, id);\n    await new Promise((resume) => setTimeout(resume, 100));\n    requireMeant(before, payment, "adjusted");',
    },
    {
      file: "server/store/catalogue/payments.ts",
      old: "    if (micros < 0) await lockSpend(tx.db, [id]);\n",
      new: "    if (micros < -1e99) await lockSpend(tx.db, [id]);\n",
    },
  ],
};

export const acknowledgesRefused: Broken = {
  name: "acknowledges every second write that the storage has refused",
  edits: [
    {
      file: "server/store/journal/appended-entries.ts",
      old: "const sweepMs = 5;\n",
      new: "const sweepMs = 5;\nlet refusals = 0;\n",
    },
    {
      file: "server/store/journal/appended-entries.ts",
      old: "  for (const { refuse } of waiting) refuse(error);",
      new: `  for (const { refuse, settle } of waiting) {
    refusals += 1;
    if (refusals % 2 === 0) settle({ eventId: null, refusal: null, billedMicros: null });
    else refuse(error);
  }`,
    },
  ],
};

export const ignoresFullDisk: Broken = {
  name: "takes a full disk for an entry's own failure",
  edits: [{ file: "server/store/sqlite/storage-trouble.ts", old: "  SQLITE_FULL: 5,\n", new: "" }],
};

export const comesBackLate: Broken = {
  name: "looks for the lock again after ten seconds",
  edits: [
    {
      file: "server/store/sqlite/write-lock.ts",
      old: "sleep(1 + Math.random() * 2);",
      new: "sleep(10_000);",
    },
  ],
};

export const tellsReadinessForLife: Broken = {
  name: "is not alive while it is not ready",
  edits: [
    {
      file: "server/routes/health.ts",
      old: '"/healthz", { reply: tellAlive }',
      new: '"/healthz", { reply: tellReady }',
    },
  ],
};

export const isReadyWhileItRefuses: Broken = {
  name: "says that it is ready while it refuses to store",
  edits: [{ file: "server/store/open-store.ts", old: " && !writer.isRefusing(),", new: "," }],
};

export const acknowledgesAfterLoss: Broken = {
  name: "does not look which files it writes to",
  edits: [
    {
      file: "server/store/sqlite/same-files.ts",
      old: "id === null || idOf(file) !== id)",
      new: "id === null && idOf(file) !== id)",
    },
  ],
};

export const countsRefusedViews: Broken = {
  name: "counts impressions that were refused",
  edits: [
    {
      file: "server/core/figures.ts",
      old: 'of: (event) => countOf(event, "impression") },',
      new: 'of: ({ type }) => (type === "impression" ? 1 : 0) },',
    },
  ],
};

export const backsUpSalts: Broken = {
  name: "leaves the visitors' salts in a backup",
  edits: [
    { file: "server/store/sqlite/backup.ts", old: '    copy.exec("delete from visitor_salt");\n', new: "" },
    {
      file: "docs/postgresql.md",
      old: "pg_dump --format=custom --no-unlogged-table-data",
      new: "pg_dump --format=custom",
    },
  ],
};

export const backsUpLinks: Broken = {
  name: "leaves the links that let somebody in in a backup",
  edits: [
    { file: "server/store/sqlite/backup.ts", old: "delete from sign_in_link; ", new: "" },
    { file: "docs/postgresql.md", old: " --exclude-table-data=sign_in_link", new: "" },
  ],
};

export const miscounts: Broken = {
  name: "leaves the last sum of a batch out of the counters",
  edits: [
    { file: batch, old: "add(fold.sums());", new: "add(fold.sums().slice(0, -1));" },
    {
      file: "server/store/postgres/flush-counters.ts",
      old: "counterRowsOf(daySums(sums), known)",
      new: "counterRowsOf(daySums(sums.slice(0, -1)), known)",
    },
  ],
};

export const countsWhatIsSentAgain: Broken = {
  name: "counts an event again that is sent again",
  edits: [
    {
      file: "server/store/journal/record-repetition.ts",
      old: 'entry.offer === 0 ? "not_served" : "duplicate"',
      new: '...(entry.offer === 0 ? (["not_served"] as const) : [])',
    },
  ],
};

export const leavesEventsOut: Broken = {
  name: "leaves events out of a backup",
  edits: [
    {
      file: "server/store/sqlite/backup.ts",
      old: '    copy.exec("delete from visitor_salt");\n',
      new: '    copy.exec("delete from visitor_salt");\n    copy.exec("delete from fact where offer % 2 = 1");\n',
    },
    {
      file: "docs/postgresql.md",
      old: "pg_dump --format=custom",
      new: "pg_dump --exclude-table-data=fact --format=custom",
    },
  ],
};

/** As `pragma integrity_check` tells of a page that belongs to nothing; SQLite itself works on with it. */
export const leavesATornCopy: Broken = {
  name: "leaves a page in a backup that belongs to nothing",
  engines: ["sqlite"],
  edits: [
    {
      file: "server/store/sqlite/backup.ts",
      old: "    const { size } = statSync(partial);\n",
      new: `    const torn = readFileSync(partial);
    torn.writeUInt32BE(torn.readUInt32BE(28) + 1, 28);
    writeFileSync(partial, Buffer.concat([torn, Buffer.alloc(torn.readUInt16BE(16))]));
    const { size } = statSync(partial);
`,
    },
    {
      file: "server/store/sqlite/backup.ts",
      old: "import { existsSync, readdirSync,",
      new: "import { existsSync, readdirSync, readFileSync,",
    },
  ],
};
