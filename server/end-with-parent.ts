const lookMs = 500;

/**
 * Ends the process as SIGTERM does once its parent is gone. For a script of npm only: npm sends its signals to the
 * shell between the two, which dies of them and passes none on, and the port would stay taken for good.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, "SIGTERM");
  }, lookMs);
  looking.unref();
}
