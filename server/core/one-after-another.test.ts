import { expect, test } from "vitest";
import { oneAfterAnother } from "./one-after-another.ts";

test("each begins when the one before has ended, well or not, and is told what came of its own", async () => {
  const inTurn = oneAfterAnother();
  const told: string[] = [];
  const work = (name: string) => async () => {
    told.push(`${name} begins`);
    await new Promise(setImmediate);
    told.push(`${name} ends`);
    if (name === "b") throw new Error("b has failed");
    return name;
  };
  const all = await Promise.allSettled(["a", "b", "c"].map((name) => inTurn(work(name))));
  expect(told).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(all).toMatchObject([{ value: "a" }, { reason: new Error("b has failed") }, { value: "c" }]);
});
