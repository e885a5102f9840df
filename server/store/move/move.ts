import { createHash } from "node:crypto";
import { type Kysely, type SqlBool, sql } from "kysely";
import type pg from "pg";
import { requestTimeOf } from "../../core/request-key.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { openDatabase } from "../postgres/database.ts";
import { beginMoveNote, finishMoveNote, readMoveNote, writeMoveProgress } from "../postgres/move-note.ts";
import { preparePast } from "../postgres/partitions.ts";
import type { Schema } from "../schema.ts";
import { openAlone } from "../sqlite/open-alone.ts";
import type { Durability } from "../sqlite/open-sqlite.ts";
import { isLockedByAnother } from "../sqlite/storage-trouble.ts";
import { copyTable, type Progress, replaceTable } from "./copy-table.ts";
import { type Fingerprint, fingerprints } from "./fingerprint.ts";
import { continueNumbers } from "./identities.ts";
import { MoveRefusal } from "./move-refusal.ts";
import { movedTables, tablesThatAre } from "./moved-tables.ts";
import { asLongAsItTakes, openTarget } from "./open-target.ts";
import { notedProgress, progressText } from "./progress.ts";
import { compareFew, compareRows } from "./same-rows.ts";
import { readShapes, type TableShape } from "./table-shape.ts";
import { unfitTexts } from "./unfit-texts.ts";
import { type Check, verify } from "./verify.ts";

export type Moved = {
  /** How many rows were copied now, and in how many seconds; what an attempt before has copied is not among them. */
  rows: number;
  seconds: number;
  tables: readonly { table: string; rows: number }[];
  checks: readonly Check[];
  /** Whether every check agrees: only then can the target be served from. */
  isWhole: boolean;
};

export type MoveOptions = {
  source: { file: string; durability: Durability };
  /** `postgres://…` of an empty database, or of one into which the same source is being moved, or was. */
  to: string;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Hears how far it has come. */
  say: (text: string) => void;
};

/**
 * Copies a whole SQLite database into PostgreSQL while nobody else has it open, and compares both sides then. Whatever ends
 * it, the next attempt goes on where it was, and one after it has finished changes nothing; until one has found both sides the
 * same, nobody can serve from the target. Rejects with a MoveRefusal where it cannot be done.
 */
export async function moveToPostgres({ source: file, to, clock, say }: MoveOptions): Promise<Moved> {
  const { db: source } = await openAlone(file).catch((error: unknown) => {
    throw isLockedByAnother(error)
      ? new MoveRefusal(`${file.file} is in use: stop the service, and whatever else has it open`)
      : error;
  });
  try {
    const client = await openTarget(to, file.durability);
    const target = openDatabase({ url: to, name: "move", settings: asLongAsItTakes }, 1);
    try {
      return await moveAll({ source, client, target }, { clock, say });
    } finally {
      await target.destroy();
      await client.end();
    }
  } finally {
    await source.destroy();
  }
}

type Sides = { source: Kysely<Schema>; client: pg.Client; target: Kysely<Schema> };
type Told = Pick<MoveOptions, "clock" | "say">;

const moveAll = async (sides: Sides, { clock, say }: Told): Promise<Moved> => {
  const { source, client, target } = sides;
  const shapes = await readShapes(source, target, tablesThatAre("copied", "replaced", "settled", "counted"));
  const copied = shapes.filter(({ table }) => movedTables[table] === "copied");
  const unfit = await unfitTexts(source, shapes);
  if (unfit.length > 0) {
    throw new MoveRefusal(
      `PostgreSQL takes no text with a NUL (U+0000); nothing was copied. Take it out of:\n${unfit.join("\n")}`,
    );
  }
  say("reading what there is");
  const found = await fingerprints(source, copied);
  const progress = await begin(sides, { copied, found, now: clock() });
  if (progress === null) {
    say("this very source has been moved into the target already; nothing was changed");
    return { rows: 0, seconds: 0, tables: [], checks: [], isWhole: true };
  }
  const startedAt = performance.now();
  await preparePast(client, await firstDay(source, clock()), clock());
  let rows = 0;
  for (const shape of copied)
    rows += await copy(sides, shape, { progress, of: found[shape.table]?.rows ?? 0, say });
  for (const shape of shapes) {
    if (movedTables[shape.table] === "replaced") await replaceTable(sides, shape);
  }
  await continueNumbers(sides, shapes);
  await client.query("analyze");
  const seconds = (performance.now() - startedAt) / 1000;
  const checks = [...(await compareTables(sides, shapes, say)), ...(await verify(source, target, say))];
  const isWhole = checks.every(({ agrees }) => agrees);
  if (isWhole) {
    // From here on the target is what counts: all of it is on its disk before that is told.
    await client.query("reset synchronous_commit");
    await finishMoveNote(client, clock());
  }
  const tables = copied.map(({ table }) => ({ table, rows: found[table]?.rows ?? 0 }));
  return { rows, seconds, tables: tables.filter((one) => one.rows > 0), checks, isWhole };
};

/** How far each table has come, of a move that has begun by now; null where this very source was moved before. */
const begin = async (
  { client }: Sides,
  { copied, found, now }: { copied: readonly TableShape[]; found: Record<string, Fingerprint>; now: number },
): Promise<Map<string, Progress> | null> => {
  const source = createHash("sha256").update(JSON.stringify(found)).digest("hex");
  const note = await readMoveNote(client);
  if (note?.isFinished) {
    if (note.source === source) return null;
    throw new MoveRefusal(
      "a move into the target has finished already, of another source or of this one before it was changed: " +
        "make the target's database anew, and begin again",
    );
  }
  if (note !== null && note.source !== source) {
    throw new MoveRefusal(
      "what the target has begun to hold is of another source, or of this one before it was changed: " +
        "make the target's database anew, and begin again",
    );
  }
  if (note === null) {
    for (const { table } of copied) {
      const { rows } = await client.query(`select 1 from "${table}" limit 1`);
      if (rows.length > 0) throw new MoveRefusal(`the target is not empty: it has rows in ${table}`);
    }
    await beginMoveNote(client, source, now);
  }
  return notedProgress(note?.progress ?? "{}");
};

/** The first day of which there are facts, of requests that can be real at `now`. */
const firstDay = async (source: Kysely<Schema>, now: number): Promise<number> => {
  const row = await source
    .selectFrom("fact")
    .select("request")
    .orderBy("request")
    .limit(1)
    .executeTakeFirst();
  return dayNumber(row === undefined ? now : Math.min(requestTimeOf(Buffer.from(row.request)), now));
};

const nothing: Progress = { rows: 0, after: null, isDone: false };
const sayEveryMs = 2000;

/** @returns how many rows it has copied. */
const copy = async (
  { source, client }: Sides,
  shape: TableShape,
  { progress, of, say }: { progress: Map<string, Progress>; of: number; say: Told["say"] },
): Promise<number> => {
  const { table } = shape;
  const from = progress.get(table) ?? nothing;
  if (from.isDone) return 0;
  if (from.rows > 0) say(`${table}: going on after ${from.rows} of ${of} rows`);
  let saidAt = performance.now();
  let rows = from.rows;
  const copying = copyTable({ source, client }, shape, {
    from,
    note: async (reached) => {
      rows = reached.rows;
      progress.set(table, reached);
      await writeMoveProgress(client, progressText(progress));
      if (performance.now() - saidAt < sayEveryMs) return;
      saidAt = performance.now();
      say(`${table}: ${rows} of ${of} rows`);
    },
  });
  await copying.catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new MoveRefusal(`${table}, after ${rows} rows: ${why}; the same command goes on from there`);
  });
  if (rows > 0) say(`${table}: all ${rows} rows`);
  return rows - from.rows;
};

const compareTables = async (
  { source, target }: Sides,
  shapes: readonly TableShape[],
  say: Told["say"],
): Promise<Check[]> => {
  say("comparing every row of both sides");
  const checks: Check[] = [];
  const all = { source: 0, target: 0 };
  for (const shape of shapes) {
    const compared =
      movedTables[shape.table] === "counted"
        ? await compareFew(source, target, shape, sql<SqlBool>`sessions <> 0`)
        : shape.key.length === 0
          ? await compareFew(source, target, shape)
          : await compareRows(source, target, shape);
    all.source += compared.source;
    all.target += compared.target;
    if (compared.differsAt === null) continue;
    const what = `rows of ${shape.table}, from ${compared.differsAt} on`;
    checks.push({
      what,
      source: `${compared.source} rows`,
      target: `${compared.target} rows`,
      agrees: false,
    });
  }
  const what = `rows of ${shapes.length} tables`;
  const agrees = checks.length === 0;
  return [{ what, source: `${all.source}`, target: `${all.target}`, agrees }, ...checks];
};
