import { expect, test } from "vitest";
import type { Explanation } from "../core/explanation.ts";
import type { ExplainedOffer } from "../core/offer-choice.ts";
import { sampleOffer } from "../core/sample-catalogue.ts";
import { createTurns, explanationText } from "./explanation-text.ts";

const explained: ExplainedOffer = {
  offer: sampleOffer(),
  isOffered: true,
  removedBy: "paused",
  rank: null,
  rankedFor: null,
  parts: () => null,
};

/** An explanation of so many offers, each of which takes a millisecond. */
const slowExplanation = (offers: number, onOffer: () => void = () => undefined) => {
  const slowly = function* () {
    for (let at = 0; at < offers; at += 1) {
      const until = performance.now() + 1;
      while (performance.now() < until);
      onOffer();
      yield explained;
    }
  };
  return { told: { events: [] }, offers: slowly() } as unknown as Explanation;
};

test("others have their turn every few milliseconds, however few offers that is", async () => {
  let sinceTurn = 0;
  let most = 0;
  let isMade = false;
  const turns = async () => {
    while (!isMade) {
      sinceTurn = 0;
      await new Promise(setImmediate);
    }
  };
  const others = turns();
  const text = await explanationText(
    slowExplanation(60, () => {
      sinceTurn += 1;
      most = Math.max(most, sinceTurn);
    }),
  );
  isMade = true;
  await others;
  expect(most).toBeLessThanOrEqual(6);
  expect(JSON.parse(text)).toMatchObject({ events: [], considered: 0, removed: 60 });
});

test("works are done one after another, and more than may wait are turned away", async () => {
  const inTurn = createTurns(3);
  const done: string[] = [];
  const work = (name: string) => () =>
    explanationText(
      slowExplanation(12, () => {
        done.push(name);
      }),
    );
  const all = ["a", "b", "c"].map((name) => inTurn(work(name)));
  expect(inTurn(work("d"))).toBeNull();
  await Promise.all(all);
  expect(done).toEqual(["a", "b", "c"].flatMap((name) => Array<string>(12).fill(name)));
});

test("a work that fails is followed by the next", async () => {
  const inTurn = createTurns(2);
  const failing = inTurn(() => Promise.reject(new Error("no")));
  const next = inTurn(async () => "yes");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("yes");
  await expect(inTurn(async () => "again")).resolves.toBe("again");
});
