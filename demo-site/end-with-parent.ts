const lookMs = 500;

/**
 * Ends the process as SIGTERM does once its parent is gone. It is for scripts of npm: npm runs them in a shell, which
 * dies of a signal and does not pass it on, and both ports would stay taken for good.
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
