import { seededRandom } from "../server/core/seeded-random.ts";
import { atMost, type Check, printChecks, readNumbers } from "./checks.ts";

/**
 * How a budget would be handed out in parts to nodes across an ocean, of which none may wait for the centre with each
 * click. It is a plan, and nothing of the service works like this: all nodes take a budget's row in one region.
 */
export type LeaseCase = {
  name: string;
  /** Clicks a second over all nodes. */
  demand: number;
  /** Clicks that the budget holds. */
  budget: number;
  /** `even`, or the n-th node has a share of 1/n. */
  spread: "even" | "skewed";
  /** How many of the nodes die, one after the other, before the budget is sold out. */
  deaths: number;
};

export type LeaseRun = {
  name: string;
  seed: number;
  billed: number;
  over: number;
  /** When the last click was billed, in seconds; `ideal` is when a single node would have been through. */
  soldOutSeconds: number;
  idealSeconds: number;
  /** Clicks that were let go unbilled, though there was budget somewhere. */
  missed: number;
  /** Questions to the centre in a second, clicks of the tail left out. */
  asksASecond: number;
  /** Clicks that waited for the centre one by one. */
  tail: number;
};

const cases: readonly LeaseCase[] = [
  { name: "10,000/s, even", demand: 10_000, budget: 3_000_000, spread: "even", deaths: 0 },
  { name: "10,000/s, skewed", demand: 10_000, budget: 3_000_000, spread: "skewed", deaths: 0 },
  {
    name: "10,000/s, skewed, 30 of 100 nodes die",
    demand: 10_000,
    budget: 3_000_000,
    spread: "skewed",
    deaths: 30,
  },
  { name: "100/s, a budget of 100 clicks", demand: 100, budget: 100, spread: "even", deaths: 0 },
  { name: "5/s, a budget of 50 clicks", demand: 5, budget: 50, spread: "even", deaths: 0 },
];

const nodes = 100;
const stepMs = 10;
/** To the centre and back. */
const roundTripMs = 80;
const leaseMs = 10_000;
/** A part that nobody gave back returns so long after its time. */
const graceMs = 2000;
/** With less use left than this, nothing is lent any more: each click asks for itself. */
const tailSeconds = 10;

type Node = {
  /** Clicks a second, as they come, and as the node has seen them. */
  rate: number;
  seen: number;
  held: number;
  expires: number;
  isAsking: boolean;
  isDead: boolean;
};

/** One budget from the first click to a while after the last one. `isTailLent`: parts are lent to the very end. */
export function simulateLeases(one: LeaseCase, seed: number, { isTailLent = false } = {}): LeaseRun {
  const random = seededRandom(seed);
  const all = nodesOf(one);
  const due = new Map<number, (() => void)[]>();
  const at = (step: number, work: () => void): void => {
    const before = due.get(step);
    if (before === undefined) due.set(step, [work]);
    else before.push(work);
  };
  const half = roundTripMs / 2 / stepMs;
  const ideal = one.budget / one.demand;
  const deathEvery = one.deaths > 0 ? Math.floor((ideal * 1000) / stepMs / (one.deaths + 1)) : 0;
  const run = { billed: 0, missed: 0, asks: 0, tail: 0, last: 0 };
  let free = one.budget;
  const left = (): number => free + all.reduce((sum, { held }) => sum + held, 0);
  const isTail = (): boolean => !isTailLent && free < one.demand * tailSeconds;

  const ask = (node: Node, step: number): void => {
    node.isAsking = true;
    run.asks += 1;
    at(step + half, () => {
      const wanted = Math.max(1, Math.ceil(node.seen));
      const given = isTail() ? 0 : Math.min(free, wanted, Math.max(1, Math.floor((2 * free) / nodes)));
      free -= given;
      at(step + 2 * half, () => {
        node.isAsking = false;
        node.held += given;
        node.expires = (step + 2 * half) * stepMs + leaseMs;
        // Written with an epoch: what a dead node holds comes back, and if it wakes it can sell none of it.
        watch(node, step + 2 * half + leaseMs / stepMs);
      });
    });
  };
  /** What a node has not used when its time is over goes back, by its own hand or without it. */
  const watch = (node: Node, until: number): void =>
    at(until + (node.isDead ? graceMs / stepMs : 0), () => {
      if (until * stepMs < node.expires) return;
      free += node.held;
      node.held = 0;
    });
  const click = (node: Node, step: number): void => {
    if (node.held > 0 && step * stepMs < node.expires) {
      node.held -= 1;
      bill(step);
    } else if (isTail()) {
      at(step + half, () => {
        if (free <= 0) return;
        free -= 1;
        run.tail += 1;
        bill(step);
      });
    } else if (left() > 0) run.missed += 1;
    if (!node.isAsking && node.held < node.seen / 2 && !isTail()) ask(node, step);
  };
  const bill = (step: number): void => {
    run.billed += 1;
    run.last = step;
  };

  const end = Math.ceil(((ideal + 40) * 1000) / stepMs);
  let dead = 0;
  for (let step = 0; step < end; step += 1) {
    for (const work of due.get(step) ?? []) work();
    due.delete(step);
    if (deathEvery > 0 && dead < one.deaths && step > 0 && step % deathEvery === 0) {
      kill(all, random);
      dead += 1;
    }
    for (const node of all) {
      if (node.isDead) continue;
      const clicks = poisson((node.rate * stepMs) / 1000, random);
      node.seen += (clicks * (1000 / stepMs) - node.seen) / 200;
      for (let n = 0; n < clicks; n += 1) click(node, step);
    }
    if (free <= 0 && left() <= 0 && due.size === 0) break;
  }
  return {
    name: one.name,
    seed,
    billed: run.billed,
    over: run.billed - one.budget,
    soldOutSeconds: (run.last * stepMs) / 1000,
    idealSeconds: ideal,
    missed: run.missed,
    asksASecond: run.asks / Math.max(1, (run.last * stepMs) / 1000),
    tail: run.tail,
  };
}

const nodesOf = ({ demand, spread }: LeaseCase): Node[] => {
  const weights = Array.from({ length: nodes }, (_, index) => (spread === "even" ? 1 : 1 / (index + 1)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => {
    const rate = (demand * weight) / sum;
    return { rate, seen: rate, held: 0, expires: 0, isAsking: false, isDead: false };
  });
};

/** Its visitors go to the others. What it has been lent stays with it until the time is over. */
const kill = (all: readonly Node[], random: () => number): void => {
  const living = all.filter(({ isDead }) => !isDead);
  const victim = living[Math.floor(random() * living.length)];
  if (victim === undefined || living.length < 2) return;
  victim.isDead = true;
  for (const node of living) if (node !== victim) node.rate += victim.rate / (living.length - 1);
};

/** How many events come in a time in which `mean` are expected. */
const poisson = (mean: number, random: () => number): number => {
  const limit = Math.exp(-mean);
  let events = 0;
  for (let product = random(); product > limit; product *= random()) events += 1;
  return events;
};

/** Each case with the seeds 1, 2, 3 and so on; and what lending to the very end would do to small budgets. */
export function simulateAllLeases({ runs }: { runs: number }): LeaseRun[] {
  const seeds = Array.from({ length: runs }, (_, index) => index + 1);
  const small = cases.filter(({ budget }) => budget <= 100);
  return [
    ...cases.flatMap((one) => seeds.map((seed) => simulateLeases(one, seed))),
    ...small.flatMap((one) =>
      seeds.map((seed) =>
        simulateLeases({ ...one, name: `${one.name}, lent to the end` }, seed, { isTailLent: true }),
      ),
    ),
  ];
}

/** Never a click above the budget, and nearly none let go where budgets are large. */
export function judgeLeases(runs: readonly LeaseRun[]): Check[] {
  const over = Math.max(...runs.map((run) => run.over));
  const large = runs.filter(({ name }) => name.startsWith("10,000/s"));
  const missed = Math.max(...large.map((run) => (100 * run.missed) / (run.billed + run.missed)));
  return [
    atMost("clicks billed above a budget", over, 0),
    atMost("clicks let go of large budgets, in percent", Number(missed.toFixed(3)), 1),
  ];
}

if (import.meta.main) {
  const runs = simulateAllLeases(readNumbers({ runs: 3 }, process.argv.slice(2)));
  for (const { name, seed, over, soldOutSeconds, idealSeconds, missed, asksASecond, tail } of runs) {
    const times = `sold out after ${soldOutSeconds.toFixed(1)} s (ideal ${idealSeconds.toFixed(1)})`;
    const asked = `${asksASecond.toFixed(0)} asks/s, ${tail} clicks asked for themselves`;
    console.log(`${name}, ${seed}: ${over} over, ${times}, ${missed} let go, ${asked}`);
  }
  process.exitCode = printChecks(
    "Budgets that are lent to 100 nodes, 80 ms from the centre",
    judgeLeases(runs),
  );
}
