/** One call of the page's function, such as `["on", "shown", callback]`. */
export type Command = ArrayLike<unknown>;

/** The page's function. It only pushes into its queue `q`, whose `push` the loader replaces. */
type Interface = { (...command: unknown[]): unknown; q?: Command[] };

/**
 * Takes over the commands that the page issues through the function of that name, which is made when the
 * page has none yet, and returns those that were waiting. From then on `run` gets each command as it comes,
 * and what it returns is what the page's call returns. A name that means something else on this page is left alone.
 */
export function takeCommands(
  name: string,
  run: (command: Command) => unknown,
  page: Record<string, unknown> = window as never,
): Command[] {
  let given = page[name] as Interface | undefined;
  if (typeof given !== "function") {
    // An element with that id is also found under that name, but it is no property of the window's own.
    if (given && Object.hasOwn(page, name)) return [];
    const made: Interface = (...command) => (made.q as Command[]).push(command);
    given = made;
    page[name] = made;
  }
  const queue = given.q || [];
  given.q = queue;
  const waiting = queue.splice(0);
  // A page may have kept a copy of its stub, which pushes into the same queue.
  queue.push = run as typeof queue.push;
  return waiting;
}
