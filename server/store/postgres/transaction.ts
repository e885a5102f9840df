import type { ClientBase } from "pg";

/** A connection, as far as statements go. */
export type Client = Pick<ClientBase, "query">;

/**
 * Runs `work` in one transaction; what it throws rolls everything back. Throws when the commit was none: the server answers
 * the commit of a transaction that has failed with a rollback, and calls it no error.
 */
export async function transact<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  let done: T;
  try {
    done = await work();
  } catch (error) {
    // Where the connection is what broke, the server has undone it by itself.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
  const { command } = await client.query("commit");
  if (command !== "COMMIT") throw Object.assign(new Error("nothing was committed"), { code: "25P02" });
  return done;
}
