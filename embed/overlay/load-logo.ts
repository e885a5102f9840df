/** A website's picture, as large as it is, in CSS pixels; browsers know no size of some drawings and say 0. */
export type Logo = { src: string; width: number; height: number };

/** How long an overlay waits for it, in milliseconds, from when its offers are asked for. */
const patienceMs = 600;

/**
 * Fetches a website's picture, so that it stands in the overlay from the beginning; null where it is forbidden by the
 * page, broken or late. Then the overlay has no place for it either: nothing in it is empty, and nothing moves.
 */
export async function loadLogo(address: string | null): Promise<Logo | null> {
  if (!address) return null;
  const image = new Image();
  image.referrerPolicy = "no-referrer";
  image.src = address;
  const isThere = await Promise.race([
    image.decode().then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), patienceMs)),
  ]);
  return isThere ? { src: image.src, width: image.naturalWidth, height: image.naturalHeight } : null;
}
