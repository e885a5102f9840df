/**
 * Draws from the Beta distribution of these two parameters, both above 0: a share between 0 and 1. Equal seeds draw
 * alike, on every machine.
 * @param seed 32 bits.
 */
export function drawBeta(seed: number, alpha: number, beta: number): number {
  const one = drawGamma(seed, alpha);
  const other = drawGamma(seed ^ otherStream, beta);
  // The first is 0 only where it is too small for a float.
  return one === 0 ? 0 : one / (one + other);
}

const otherStream = 0x5bd1e995;

/** Marsaglia and Tsang, "A simple method for generating gamma variables" (2000): one round in twenty is repeated at most. */
function drawGamma(seed: number, shape: number): number {
  if (shape < 1) return drawGamma(seed, shape + 1) * uniformOf(bitsOf(seed, -1)) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (let round = 0; ; round += 2) {
    const normal = normalOf(bitsOf(seed, round));
    const root = 1 + c * normal;
    if (root <= 0) continue;
    const cube = root * root * root;
    const uniform = uniformOf(bitsOf(seed, round + 1));
    const square = normal * normal;
    if (uniform < 1 - 0.0331 * square * square) return d * cube;
    if (Math.log(uniform) < 0.5 * square + d * (1 - cube + Math.log(cube))) return d * cube;
  }
}

/** The 32 bits that stand at a place of the stream of a seed (SplitMix, with the finaliser of MurmurHash3). */
function bitsOf(seed: number, place: number): number {
  let bits = (seed + Math.imul(place, 0x9e3779b9)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Between 0 and 1, neither of them. */
function uniformOf(bits: number): number {
  return (bits + 0.5) / 4_294_967_296;
}

const steps = 4096;
const bitsBelowStep = 20;

/** Of mean 0 and variance 1: looked up, for the logarithms of an exact one cost ten times as much. */
function normalOf(bits: number): number {
  const step = bits >>> bitsBelowStep;
  const from = quantiles[step] ?? 0;
  const share = (bits & ((1 << bitsBelowStep) - 1)) / (1 << bitsBelowStep);
  return from + share * ((quantiles[step + 1] ?? 0) - from);
}

/** The values below which a normal variable falls with a chance of 0/4096, 1/4096 and so on; cut off at 4. */
const quantiles = normalQuantiles();

function normalQuantiles(): Float64Array {
  const found = new Float64Array(steps + 1).fill(4);
  const width = 1 / 2048;
  const densityAt = (value: number): number => Math.exp(-0.5 * value * value) / Math.sqrt(2 * Math.PI);
  let chance = 0;
  let next = 1;
  found[0] = -4;
  for (let value = -4; next < steps; value += width) {
    const within = densityAt(value + width / 2) * width;
    for (; next < steps && chance + within >= next / steps; next += 1) {
      found[next] = value + (width * (next / steps - chance)) / within;
    }
    chance += within;
  }
  return found;
}
