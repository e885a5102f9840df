import { writeSync, write as writeTo } from "node:fs";

/** What waits for a reader, or for room on the disk, at the most: some five thousand lines. */
const mostBytes = 1_048_576;
/** Written at once at the most; a pipe holds four times as much. */
const pieceBytes = 16_384;
/** A pipe that is full, whose reader may come back at any moment. */
const busyRestMs = 50;
/** A disk that is full, a pipe whose reader has gone. */
const faultRestMs = 1000;
/** How long the end of the process waits for the last lines. */
const mostClosingMs = 1000;

export type LineSink = {
  /** Takes a line, with its end. It is written soon; while too much waits it is lost, and counted. */
  write(line: string): void;
  /** Resolves when all is written, when that fails, or after a second. */
  close(): Promise<void>;
};

/** What the sink needs of the system, which tests replace. */
export type SinkPorts = {
  write: (
    fd: number,
    bytes: Uint8Array,
    done: (error: NodeJS.ErrnoException | null, written: number) => void,
  ) => void;
  writeSync: (fd: number, bytes: Uint8Array) => number;
};

/**
 * Writes lines to a file, a pipe or a terminal without ever making anybody wait, and without failing: what cannot be
 * written is tried again, the rest of a line that was begun included, so that no line is torn. What waits is bounded, and
 * of what comes then the newest is lost: how a fault began is worth more than how it went on. `onLosing` hears of the first
 * line that is, for there may never be room again; `onLost` hears how many lines that were, once there is.
 */
export function createLineSink(
  fd: number,
  { onLosing, onLost }: { onLosing: () => void; onLost: (lines: number) => void },
  ports: SinkPorts = { write: writeTo, writeSync },
): LineSink {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let lost = 0;
  /** What is being written now, or will be when the rest is over. */
  let piece: Buffer | null = null;
  let isResting = false;
  /** Whether the last attempt has met what a moment's patience does not mend. */
  let isFaulty = false;
  let onIdle: (() => void) | null = null;

  const next = (): void => {
    isResting = false;
    piece ??= takePiece();
    if (piece === null) {
      onIdle?.();
      return;
    }
    ports.write(fd, piece, (error, written) => {
      if (error !== null) return rest(error);
      isFaulty = false;
      piece = piece !== null && written < piece.length ? piece.subarray(written) : null;
      next();
      tellLost();
    });
  };
  /** Once half of the room is free again: what it tells is a line itself. */
  const tellLost = (): void => {
    if (lost === 0 || waitingBytes > mostBytes / 2) return;
    const lines = lost;
    lost = 0;
    onLost(lines);
  };
  const rest = ({ code }: NodeJS.ErrnoException): void => {
    isResting = true;
    isFaulty = code !== "EAGAIN";
    setTimeout(next, isFaulty ? faultRestMs : busyRestMs).unref();
    if (isFaulty) onIdle?.();
  };
  const takePiece = (): Buffer | null => {
    let bytes = waiting[0]?.length ?? 0;
    if (bytes === 0) return null;
    let lines = 1;
    for (; bytes < pieceBytes && lines < waiting.length; lines += 1) bytes += waiting[lines]?.length ?? 0;
    waitingBytes -= bytes;
    return Buffer.concat(waiting.splice(0, lines), bytes);
  };
  /** Whoever ends the process without `close` has the last lines tried once; what is being written ends by itself. */
  const writeRest = (): void => {
    const begun = isResting && piece !== null ? [piece] : [];
    try {
      const rest = Buffer.concat([...begun, ...waiting]);
      if (rest.length > 0) ports.writeSync(fd, rest);
    } catch {
      // There is no room, and nobody to tell it to.
    }
  };
  process.once("exit", writeRest);

  return {
    write: (line) => {
      const bytes = Buffer.from(line);
      if (waitingBytes + bytes.length > mostBytes) {
        lost += 1;
        if (lost === 1) onLosing();
        return;
      }
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (piece === null) next();
    },
    close: () =>
      new Promise((resolve) => {
        const end = (): void => {
          onIdle = null;
          resolve();
        };
        if (isFaulty || (piece === null && waiting.length === 0)) return end();
        onIdle = end;
        setTimeout(end, mostClosingMs).unref();
      }),
  };
}
