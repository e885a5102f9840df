/** Whether there is a process with that number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
