import { raceForOneBalance, raceForOneOffer, raceOfOneToken, raceOfTokens } from "../budget-race.ts";
import { capRace } from "../cap-race.ts";
import type { Check } from "../checks.ts";
import { crash } from "../crash.ts";
import { fsyncHeld } from "../fsync-held.ts";
import { lock } from "../lock.ts";
import { compileDurableImage } from "../machine/durable-image.ts";
import { compileSlowFsync } from "../machine/slow-fsync.ts";
import { mixedEvents } from "../mixed-events.ts";
import { postgresCaps } from "../postgres-caps.ts";
import { postgresCrash } from "../postgres-crash.ts";
import { smallSizes, wholeSizes } from "../promise-sizes.ts";
import { programsFor } from "../restores/engines.ts";
import { restores } from "../restores.ts";
import { serverCrash } from "../server-crash.ts";
import { fullDisk } from "./full-disk.ts";
import { lostFiles } from "./lost-files.ts";
import { postgresPowerLoss } from "./postgres-power-loss.ts";
import { powerLoss } from "./power-loss.ts";
import {
  acknowledgesAfterLoss,
  acknowledgesBeforeCommit,
  acknowledgesRefused,
  backsUpLinks,
  backsUpSalts,
  comesBackLate,
  commitsAsynchronously,
  countsRefusedViews,
  countsWhatIsSentAgain,
  forgetsAnswers,
  forgetsTheDay,
  ignoresFullDisk,
  ignoresOthersSpending,
  isReadyWhileItRefuses,
  leavesATornCopy,
  leavesEventsOut,
  miscounts,
  readsBudgetUnlocked,
  syncsRarely,
  takesBackUnlocked,
  takesCopiesForClicks,
  tellsReadinessForLife,
} from "./store-mutants.ts";
import type { Trial, TrialOptions } from "./trial.ts";
import { weakSettings } from "./weak-settings.ts";

const sizesOf = ({ profile }: TrialOptions) => (profile === "quick" ? smallSizes : wholeSizes);
const noCompiler = { skipped: "it needs Linux and a C compiler (cc)" };

/** The checks of one race after the other. */
const inARow = async (times: number, race: () => Promise<Check[]>): Promise<Check[]> => {
  const checks: Check[] = [];
  for (let run = 0; run < times; run += 1) checks.push(...(await race()));
  return checks;
};

const losePower = async (lose: typeof powerLoss, { profile, random }: TrialOptions) => {
  const image = await compileDurableImage();
  if (image === null) return noCompiler;
  const sizes = profile === "quick" ? { cuts: 1, acksBetween: 300 } : { cuts: 10, acksBetween: 2000 };
  return lose(image, { clients: 32, ...sizes, random }).finally(image.remove);
};

/** What is kept, counted and billed, whatever ends meanwhile. */
export const storeTrials: readonly Trial[] = [
  {
    id: "P1.kill",
    promise: "What was acknowledged is there, once, whatever kills the service.",
    engines: ["sqlite", "postgres"],
    profiles: ["quick", "full"],
    figure: {
      full: "50,000 acknowledged, 20 kills (PostgreSQL: and 6 ends of it, and 20 of its connections): 0 lost, 0 doubled, ready in 2 s",
      quick:
        "600 acknowledged, 2 kills (PostgreSQL: one, and one end of it, and of its connections): 0 lost, 0 doubled, ready in 15 s",
    },
    run: (options) => {
      const { engine, random } = options;
      if (engine === "postgres") return postgresCrash(sizesOf(options).postgresCrash);
      return crash({ ...sizesOf(options).crash, random });
    },
    mutants: [
      { ...acknowledgesBeforeCommit, breaks: "acknowledged events that are lost" },
      { ...commitsAsynchronously, breaks: "acknowledged events that are lost" },
      { ...countsWhatIsSentAgain, breaks: "events that count twice" },
    ],
  },
  {
    id: "P1.resend",
    promise: "A server that sends an event until it is acknowledged has exactly one.",
    engines: ["sqlite", "postgres"],
    profiles: ["full"],
    figure: {
      full: "900 events, 3 kills: 0 lost, 0 doubled, each key its first answer",
      quick: "200 events, one kill: 0 lost, 0 doubled, each key its first answer",
    },
    run: (options) => serverCrash({ ...sizesOf(options).serverCrash, engine: options.engine }),
    mutants: [{ ...forgetsAnswers, breaks: "of these, answered otherwise than the first time" }],
  },
  {
    id: "P2.power-loss",
    promise:
      "What was acknowledged is there after a loss of power, of which only what was made durable is left.",
    engines: ["sqlite"],
    profiles: ["quick", "full"],
    figure: {
      full: "10 losses: 0 acknowledged lost",
      quick: "one loss: 0 acknowledged lost",
    },
    run: (options) => losePower(powerLoss, options),
    mutants: [{ ...syncsRarely, breaks: "acknowledged events that are lost" }],
  },
  {
    id: "P2.server-power-loss",
    promise: "The same where the database is a server, and it is its machine that loses power.",
    engines: ["postgres"],
    profiles: ["full"],
    figure: {
      full: "10 losses: 0 acknowledged lost",
      quick: "one loss: 0 acknowledged lost",
    },
    run: (options) => losePower(postgresPowerLoss, options),
    mutants: [{ ...commitsAsynchronously, breaks: "acknowledged events that are lost" }],
  },
  {
    id: "P2.held",
    promise: "No write is acknowledged before it is on the disk.",
    engines: ["sqlite"],
    profiles: ["full"],
    figure: "every fsync 300 ms longer: no answer sooner",
    run: async () => {
      const slowFsync = await compileSlowFsync();
      if (slowFsync === null) return noCompiler;
      return fsyncHeld(slowFsync, { heldMs: 300, writes: 8 }).finally(slowFsync.remove);
    },
    mutants: [{ ...syncsRarely, breaks: "impression: the soonest" }],
  },
  {
    id: "P2.settings",
    promise: "A server that may lose what it has acknowledged is not used.",
    engines: ["postgres"],
    profiles: ["full"],
    figure: "every weak setting refused",
    run: weakSettings,
    mutants: [{ ...commitsAsynchronously, breaks: "synchronous_commit = off is refused" }],
  },
  {
    id: "P3.token",
    promise: "A click is billed at most once, however often its link is followed.",
    engines: ["sqlite", "postgres"],
    profiles: ["quick", "full"],
    figure: {
      full: "one token 500 times over two nodes: 1 billed",
      quick: "one token 100 times over two nodes: 1 billed",
    },
    run: (options) => raceOfOneToken({ ...sizesOf(options).budgetRace, engine: options.engine }),
    mutants: [{ ...takesCopiesForClicks, breaks: "sum of the ledger" }],
  },
  {
    id: "P3.tokens",
    promise: "Of many links that are followed several times at once each is billed once.",
    engines: ["sqlite", "postgres"],
    profiles: ["full"],
    figure: {
      full: "1,000 tokens 5 times each over two nodes: 1,000 billed",
      quick: "200 tokens 5 times each over two nodes: 200 billed",
    },
    run: (options) => raceOfTokens({ ...sizesOf(options).budgetRace, engine: options.engine }),
    mutants: [{ ...takesCopiesForClicks, breaks: "sum of the ledger" }],
  },
  {
    id: "P4.offer",
    promise: "An offer's cap is billed to its last click and not one further, however many click at once.",
    engines: ["sqlite", "postgres"],
    profiles: ["quick", "full"],
    figure: {
      full: "cap 100, 2,000 at once, two nodes, 20 times: exactly 100",
      quick: "cap 50, 400 at once, two nodes, once: exactly 50",
    },
    run: (options) => {
      const { engine, profile } = options;
      return inARow(profile === "full" ? 20 : 1, () =>
        raceForOneOffer({ ...sizesOf(options).budgetRace, engine }),
      );
    },
    mutants: [
      { ...ignoresOthersSpending, breaks: "clicks billed by an offer's click cap" },
      { ...readsBudgetUnlocked, breaks: "clicks billed by an offer's click cap" },
    ],
  },
  {
    id: "P4.balance",
    promise: "An advertiser's balance is billed to its last click and not one further, over all its offers.",
    engines: ["sqlite", "postgres"],
    profiles: ["full"],
    figure: {
      full: "100 clicks' worth, ten offers, 2,000 at once, two nodes: exactly 100",
      quick: "50 clicks' worth, ten offers, 400 at once, two nodes: exactly 50",
    },
    run: (options) => raceForOneBalance({ ...sizesOf(options).budgetRace, engine: options.engine }),
    mutants: [
      { ...ignoresOthersSpending, breaks: "clicks billed by one balance over ten offers" },
      { ...readsBudgetUnlocked, breaks: "clicks billed by one balance over ten offers" },
    ],
  },
  {
    id: "P4.caps",
    promise:
      "Caps of a day, an offer and an advertiser are exact though a node is killed, a cap is lowered and money is taken back meanwhile.",
    engines: ["sqlite", "postgres"],
    profiles: ["full"],
    figure: {
      full: "5,000 clicks by two processes, two kills (PostgreSQL: 2,000 by four nodes, 20 times): exact each time",
      quick: "350 clicks by two processes, one kill (PostgreSQL: 300 by two nodes, twice): exact each time",
    },
    run: (options) => {
      const { postgresCaps: ofNodes, capRace: ofProcesses } = sizesOf(options);
      return options.engine === "postgres" ? postgresCaps(ofNodes) : capRace(ofProcesses);
    },
    mutants: [
      { ...forgetsTheDay, breaks: "clicks billed by an offer's cap of the day" },
      { ...readsBudgetUnlocked, breaks: "clicks billed of" },
      { ...takesBackUnlocked, breaks: "billed of a balance of which money was taken back" },
    ],
  },
  {
    id: "P5.lock",
    promise: "While another process holds the write lock, reads go on and writes are refused honestly.",
    engines: ["sqlite"],
    profiles: ["full"],
    figure: {
      full: "10 s: only 503 and Retry-After, 0 lost, back in 2 s, /healthz p99 200 ms",
      quick: "3 s: only 503 and Retry-After, 0 lost, back in 2 s, /healthz p99 200 ms",
    },
    run: ({ profile }) => lock({ ...wholeSizes.lock, ...(profile === "quick" && { holdMs: 3000 }) }),
    mutants: [
      { ...acknowledgesRefused, breaks: "acknowledged impressions that are lost" },
      { ...comesBackLate, breaks: "until a write was taken again" },
    ],
  },
  {
    id: "P5.full-disk",
    promise:
      "While the disk is full writes are refused honestly, and it goes on by itself once there is room.",
    engines: ["sqlite"],
    profiles: ["full"],
    figure: {
      full: "10 s: only 503 and Retry-After, 0 lost, back in 2 s, /healthz always 200, p99 200 ms, /readyz 503 meanwhile",
      quick:
        "3 s: only 503 and Retry-After, 0 lost, back in 2 s, /healthz always 200, p99 200 ms, /readyz 503 meanwhile",
    },
    run: ({ profile }) => fullDisk({ clients: 16, fullMs: profile === "full" ? 10_000 : 3000 }),
    mutants: [
      { ...ignoresFullDisk, breaks: "processes that ended" },
      { ...tellsReadinessForLife, breaks: "… not answered 200 within a second" },
      { ...isReadyWhileItRefuses, breaks: "/readyz while it is full" },
    ],
  },
  {
    id: "P5.lost-files",
    promise: "Once a file of the database is removed or replaced nothing is acknowledged any more.",
    engines: ["sqlite"],
    profiles: ["full"],
    figure: {
      full: "3,000 acknowledged before: 0 afterwards, 0 lost of before",
      quick: "300 acknowledged before: 0 afterwards, 0 lost of before",
    },
    run: ({ profile }) =>
      lostFiles({
        clients: 16,
        ...(profile === "full" ? { acks: 3000, lostMs: 3000 } : { acks: 300, lostMs: 1000 }),
      }),
    mutants: [{ ...acknowledgesAfterLoss, breaks: "events acknowledged after its log is removed" }],
  },
  {
    id: "P25.sums",
    promise: "Reports, counters, events and the ledger agree.",
    engines: ["sqlite", "postgres"],
    profiles: ["full"],
    figure: {
      full: "50,000 events of every kind: 0 cells differ",
      quick: "3,000 events of every kind: 0 cells differ",
    },
    run: (options) => {
      const { engine } = options;
      return mixedEvents({
        engine,
        events: sizesOf(options).mixedEvents,
        clients: 16,
        nodes: engine === "postgres" ? 2 : 1,
      });
    },
    mutants: [
      { ...miscounts, breaks: "recount" },
      { ...countsRefusedViews, breaks: "cells that differ from the events" },
    ],
  },
  {
    id: "P28.restores",
    promise:
      "A backup taken under load is restored: a beginning of what was acknowledged, without salts and secrets.",
    engines: ["sqlite", "postgres"],
    profiles: ["full"],
    figure: {
      full: "10 of 10 whole, 0 of what was acknowledged before them missing, no salts, secrets, sessions, links and connections",
      quick:
        "2 of 2 whole, 0 of what was acknowledged before them missing, no salts, secrets, sessions, links and connections",
    },
    run: async ({ engine, profile }) => {
      if (programsFor(engine) === null) return { skipped: "there is no PostgreSQL with pg_dump here" };
      return restores({ engine, restores: profile === "full" ? 10 : 2, visitors: 64, acksBetween: 400 });
    },
    mutants: [
      { ...backsUpSalts, breaks: "1: salts and secrets in it" },
      { ...leavesATornCopy, breaks: "1: integrity" },
      { ...leavesEventsOut, breaks: "1: acknowledged before it began, and not there" },
      { ...backsUpLinks, breaks: "1: sessions, links and connections in it" },
    ],
  },
];
