/** How often a deadline looks whether its time is over. */
const stepMs = 50;

/**
 * Calls back once this thread could have heard an answer for so many milliseconds: while it is held up by work of its own, an
 * answer lies there unread, so however long that takes it counts as one step. Returns what calls it off.
 */
export function startDeadline(ms: number, onEnd: () => void): () => void {
  let left = Math.ceil(ms / stepMs);
  const step = (): void => {
    left -= 1;
    if (left === 0) onEnd();
    else timer = setTimeout(step, stepMs);
  };
  let timer = setTimeout(step, stepMs);
  return () => clearTimeout(timer);
}
