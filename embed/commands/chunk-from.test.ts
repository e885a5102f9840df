import { expect, test } from "vitest";
import { chunkFrom } from "./chunk-from.ts";

const base = "https://offers.example/";

test("a file that is there stays the same one", async () => {
  const load = async (address: string) => ({ address }) as never;
  const chunk = chunkFrom<object>({ load }, "c/1.js");
  const [first, second] = [await chunk(base), await chunk(base)];
  expect(second).toBe(first);
  expect(first).toEqual({ address: `${base}c/1.js` });
});

test("a file that did not come is asked for again by the next who wants it", async () => {
  let asked = 0;
  const load = async (): Promise<never> => {
    asked += 1;
    throw new TypeError("lost");
  };
  const chunk = chunkFrom<object>({ load }, "c/2.js");
  for (let time = 1; time <= 2; time += 1) {
    await expect(chunk(base)).rejects.toThrow("lost");
    expect(asked).toBe(time);
  }
});
