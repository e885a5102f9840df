/** Stands behind the addresses of files, longer with each that has failed: browsers keep what failed under an address. */
let again = "";

/** What has come. A file knows what it has open and has reported, so nobody gets a second one of it under another address. */
const came: Record<string, unknown> = {};

/**
 * One of our files, the same for everybody who asks, which is asked for once more after a second if it does not come. Its
 * address is a variable: a literal would be bundled into the file that asks.
 */
export function load<Chunk>(address: string): Promise<Chunk> {
  const attempt = async () =>
    came[address] ||
    import(/* @vite-ignore */ address + again).then(
      // Another one may have come while this one was on its way.
      (chunk) => (came[address] = came[address] || chunk),
      (problem) => {
        again += "#";
        throw problem;
      },
    );
  const chunk = attempt().catch(() => new Promise((resolve) => setTimeout(resolve, 1000)).then(attempt));
  return chunk as Promise<Chunk>;
}
