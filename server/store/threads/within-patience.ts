/** How long closing waits for a part of the store that does not answer: all of a stop has less than ten seconds. */
export const closePatienceMs = 3000;

/** Resolves with the work or after the patience, whichever comes first. */
export async function withinPatience(work: Promise<unknown>, patienceMs = closePatienceMs): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, patienceMs);
  await Promise.race([work, patience.promise]);
  clearTimeout(timer);
}
