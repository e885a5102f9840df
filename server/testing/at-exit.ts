const undoing = new Set<() => void>();
let isListening = false;

/**
 * What a trial leaves behind (processes, folders, mounts) is undone when this process ends by itself or by a signal, the newest
 * first: `undo` has to do it at once, without waiting. Nothing can be done against SIGKILL.
 * @returns what calls `undo` off, once it has been done in another way.
 */
export function atExit(undo: () => void): () => void {
  listen();
  undoing.add(undo);
  return () => void undoing.delete(undo);
}

const listen = (): void => {
  if (isListening) return;
  isListening = true;
  process.once("exit", undoAll);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, endBy);
};

const endBy = (signal: NodeJS.Signals): void => {
  // Somebody else who heeds it decides when the process ends.
  if (process.listenerCount(signal) > 1) return;
  undoAll();
  process.off(signal, endBy);
  process.kill(process.pid, signal);
};

const undoAll = (): void => {
  for (const undo of [...undoing].toReversed()) {
    undoing.delete(undo);
    try {
      undo();
    } catch (error) {
      // The others are undone all the same.
      console.error(error);
    }
  }
};
