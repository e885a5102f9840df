/** Whether there is a process with that number, whoever has started it. */
export function isRunning(pid: number): boolean {
  const refusal = refusalOf(pid);
  return refusal === null || refusal === "EPERM";
}

/** Whether there is a process with that number that this one may signal: one of the same user. */
export function canSignal(pid: number): boolean {
  return refusalOf(pid) === null;
}

/** Why the system would not send the process a signal; null: it would. */
const refusalOf = (pid: number): string | null => {
  try {
    process.kill(pid, 0);
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "unknown";
  }
};
