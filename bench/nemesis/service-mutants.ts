import type { Broken } from "./trial.ts";

export const countsLimitsApart: Broken = {
  name: "has each node count for itself",
  edits: [
    {
      file: "server/limits.ts",
      old: "  if (windows === null) {",
      new: "  if (windows === null || rateLimitFactor > 0) {",
    },
  ],
};

export const keepsNothingOnItsDisk: Broken = {
  name: "keeps visits in memory alone while the database is away",
  edits: [
    {
      file: "server/store/postgres/start-writer.ts",
      old: "      queues.plain.useSpool(spool);\n",
      new: "",
    },
  ],
};

export const losesHalfOfItsDisk: Broken = {
  name: "reads every second visit alone of those on its disk",
  edits: [
    {
      file: "server/store/spool/open-spool.ts",
      old: "lines: lines.map(lineOf)",
      new: "lines: lines.filter((_, at) => at % 2 === 0).map(lineOf)",
    },
  ],
};

export const ignoresCancelledWaits: Broken = {
  name: "takes a cancelled wait for a standby for a commit",
  edits: [
    {
      file: "server/store/postgres/write-batch.ts",
      old: "if (code === waitCancelled) isWaitCancelled = true;",
      new: 'if (code === "none") isWaitCancelled = true;',
    },
  ],
};

export const writesUnfenced: Broken = {
  name: "writes though its place was taken",
  edits: [
    {
      file: "server/store/postgres/flush.ts",
      old: "where id = $2 and epoch = $3::bigint returning 1)",
      new: "where id = $2 and $3::bigint is not null returning 1)",
    },
    // A sign of life comes before the first batch, by chance or not, and would have it take a new place.
    {
      file: "server/store/postgres/node-row.ts",
      old: "where id = $1 and epoch = $2",
      new: "where id = $1 and $2::bigint is not null",
    },
  ],
};

export const waitsForWhoStands: Broken = {
  name: "lets a node that stands still within a transaction keep its locks",
  edits: [
    {
      file: "server/store/postgres/writer-settings.ts",
      old: "  idle_in_transaction_session_timeout: 2000,\n",
      new: "",
    },
    {
      file: "server/store/postgres/record-entries.ts",
      old: "idle_in_transaction_session_timeout: patienceMs,",
      new: "idle_in_transaction_session_timeout: 0,",
    },
  ],
};

export const neverSheds: Broken = {
  name: "turns nobody away",
  edits: [
    {
      file: "server/core/load-shedding.ts",
      old: "  return draw < Math.max(isCrowded ? shareOfTurn : 0, (level / from - 1) / (rampTo - 1));",
      new: "  return draw < 0 && isCrowded && level > from;",
    },
  ],
};

export const leavesWithoutDraining: Broken = {
  name: "closes the store at once when it is asked to stop",
  edits: [
    {
      file: "server/main.ts",
      old: '    await stopServing(server, { isNoticed: signal === "SIGTERM" });\n',
      new: "",
    },
  ],
};

export const goesByItsOwnClock: Broken = {
  name: "does not go by the database's clock",
  edits: [
    {
      file: "server/core/server-clock.ts",
      old: "      offset = offsetMs;",
      new: "      offset = 0 * offsetMs;",
    },
  ],
};

export const countsDaysInAnotherZone: Broken = {
  name: "begins the day of a budget an hour early",
  edits: [
    {
      file: "server/store/rows/budgets.ts",
      old: "const day = dayNumber(at);",
      new: "const day = dayNumber(at + 3_600_000);",
    },
  ],
};

export const knowsOneSecret: Broken = {
  name: "knows no secret but the one that it seals with",
  edits: [
    {
      file: "server/config.ts",
      old: "    otherTokenSecrets: env.TOKEN_SECRET_PREVIOUS,\n",
      new: "    otherTokenSecrets: [],\n",
    },
  ],
};

export const remembersCalls: Broken = {
  name: "keeps two kilobytes of every decision",
  edits: [
    {
      file: "server/routes/decision.ts",
      old: "    reply: (given) => decide(given, context, textOf),",
      new: `    reply: ((kept: Buffer[]) => (given: Arrival) => {
      kept.push(Buffer.alloc(2000, 1));
      return decide(given, context, textOf);
    })([]),`,
    },
  ],
};

export const countsByTheClockOnTheWall: Broken = {
  name: "counts calls by the clock on the wall",
  edits: [
    {
      file: "server/http/rate-limits.ts",
      old: "{ now = () => performance.now() }",
      new: "{ now = () => Date.now() }",
    },
  ],
};

export const countsWholeAddresses: Broken = {
  name: "counts each address of an IPv6 network for itself",
  edits: [
    {
      file: "server/http/client-address.ts",
      old: "written.slice(0, 4)",
      new: "written.slice(0, 8)",
    },
  ],
};
