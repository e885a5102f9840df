/** After so many milliseconds others have their turn: a catalogue may have tens of thousands of offers. */
const sliceMs = 5;

/** Takes one after another, and lets others have their turn in between. */
export async function inSlices<Item>(items: Iterable<Item>, take: (item: Item) => void): Promise<void> {
  let since = performance.now();
  for (const item of items) {
    take(item);
    if (performance.now() - since < sliceMs) continue;
    await new Promise(setImmediate);
    since = performance.now();
  }
}
