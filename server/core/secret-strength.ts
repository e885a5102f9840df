/** What one letter of a word tells: written language has about that many bits a letter (Shannon, 1951). */
const bitsOfALetter = 1.5;
/** Letters of one case in a row that chance seldom makes, and words do. */
const wordLength = 3;

/**
 * About how many bits of chance a secret holds, judged by its text alone: each character counts as much as the
 * secret's own alphabet gives it, less where it goes on as its neighbour began, and nothing where the text repeats
 * itself. A random text gets nearly all that it has; a phrase, a row of keys or a repeated word gets little.
 */
export function estimatedBits(secret: string): number {
  const alphabet = Math.log2(new Set(secret).size);
  const inWords = new Set(
    [...secret.matchAll(words)].flatMap(({ index, 0: word }) => Array.from(word, (_, at) => index + at)),
  );
  let bits = 0;
  for (let at = 0; at < secret.length; at += 1) {
    const step = at === 0 ? 9 : Math.abs(secret.charCodeAt(at) - secret.charCodeAt(at - 1));
    const isRepeated = at >= 2 && secret.lastIndexOf(secret.slice(at - 2, at + 1), at - 3) !== -1;
    if (isRepeated) continue;
    bits += step <= 1 || inWords.has(at) ? Math.min(bitsOfALetter, alphabet) : alphabet;
  }
  return bits;
}

const words = new RegExp(`[a-z]{${wordLength},}|[A-Z]{${wordLength},}`, "g");
