/** Stands behind the addresses of files, longer with each that has failed: browsers keep what failed under an address. */
let again = "";

/**
 * One of our files, which is asked for once more after a second if it does not come. Who asks after a failure may get a
 * second copy, under another address. The address is a variable: a literal would be bundled into the file that asks.
 */
export function load<Chunk>(address: string): Promise<Chunk> {
  const attempt = () =>
    import(/* @vite-ignore */ address + again).catch((problem) => {
      again += "#";
      throw problem;
    });
  const chunk = attempt().catch(() => new Promise((resolve) => setTimeout(resolve, 1000)).then(attempt));
  return chunk as Promise<Chunk>;
}
