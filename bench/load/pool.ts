import { type Connection, openConnection, type Target } from "./connection.ts";

/** `isResent`: it was sent once more over a fresh connection. */
export type Answered = (status: number, body: string, isResent: boolean) => void;

export type Pool = {
  /** False when every connection is in use. */
  send: (text: string, wantsBody: boolean, answered: Answered) => boolean;
  close: () => void;
};

/**
 * A server that closes an idle connection in the very moment in which it is used again (RFC 9112, 9.3.1) does so at once. What
 * breaks later may have been at work on the call, and has failed it.
 */
const crossingMs = 50;

/** At most `most` connections, opened as they are needed; the one used last is used next. */
export function createPool(target: Target, most: number): Pool {
  const idle: Connection[] = [];
  const all = new Set<Connection>();

  const takeIdle = (): Connection | null => {
    for (;;) {
      const connection = idle.pop();
      if (connection === undefined) return null;
      if (connection.isOpen()) return connection;
      all.delete(connection);
    }
  };
  const takeNew = (): Connection => {
    const connection = openConnection(target);
    all.add(connection);
    return connection;
  };
  const giveBack = (connection: Connection): void => {
    if (connection.isOpen()) idle.push(connection);
    else all.delete(connection);
  };

  const sendOver = (
    connection: Connection,
    isFresh: boolean,
    isResent: boolean,
    ...[text, wantsBody, answered]: Sending
  ): void => {
    const writtenAt = performance.now();
    connection.send(text, wantsBody, (status, body) => {
      giveBack(connection);
      const mayHaveCrossed = !isFresh && performance.now() - writtenAt < crossingMs;
      // Every client asks once more then, over a connection of its own.
      if (status === 0 && mayHaveCrossed) sendOver(takeNew(), true, true, text, wantsBody, answered);
      else answered(status, body, isResent);
    });
  };

  return {
    send: (...sending) => {
      const kept = takeIdle();
      if (kept === null && all.size >= most) return false;
      sendOver(kept ?? takeNew(), kept === null, false, ...sending);
      return true;
    },
    close: () => {
      for (const connection of all) connection.close();
      all.clear();
    },
  };
}

type Sending = [text: string, wantsBody: boolean, answered: Answered];
