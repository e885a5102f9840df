import type { ClientBase } from "pg";

/** How a move into this database stands (decisions.md#moved-alone). */
export type MoveNote = {
  /** What is moved: it tells one source, and one state of it, from another. */
  source: string;
  /** What has been copied of it, as the mover wrote it. */
  progress: string;
  isFinished: boolean;
};

type Client = Pick<ClientBase, "query">;

/** Null: nothing was ever moved here. */
export async function readMoveNote(client: Client): Promise<MoveNote | null> {
  const { rows } = await client.query<MoveNote>(
    `select source, progress_json as progress, finished_at is not null as "isFinished" from move_note`,
  );
  return rows[0] ?? null;
}

/** Notes that a move has begun, at `now` in milliseconds since the epoch. */
export async function beginMoveNote(client: Client, source: string, now: number): Promise<void> {
  await client.query("insert into move_note (id, source, progress_json, began_at) values (1, $1, '{}', $2)", [
    source,
    now,
  ]);
}

/** To be called in the transaction that copies what it tells of. */
export async function writeMoveProgress(client: Client, progress: string): Promise<void> {
  await client.query("update move_note set progress_json = $1", [progress]);
}

export async function finishMoveNote(client: Client, now: number): Promise<void> {
  await client.query("update move_note set finished_at = $1", [now]);
}

/** Throws while a move is under way: what serves would tell and take half of what there is. */
export async function refuseHalfMoved(client: Client): Promise<void> {
  const note = await readMoveNote(client);
  if (note === null || note.isFinished) return;
  throw new Error(
    "a move into this database has not finished: run `admin move` again, which goes on with it",
  );
}
