import { describe, test } from "vitest";
import { budgetRace } from "./budget-race.ts";
import { capRace } from "./cap-race.ts";
import { expectKept } from "./expect-kept.ts";
import { smallSizes as sizes } from "./promise-sizes.ts";
import { tokenFlips } from "./token-flips.ts";

describe("promises, kept by a real service that is raced", { timeout: 900_000 }, () => {
  test(`${sizes.budgetRace.visitors} visitors click at once and the budget's clicks are billed, by one process or two`, async () => {
    await expectKept(budgetRace(sizes.budgetRace));
  });

  test("caps of a day, an offer and an advertiser are billed exactly by two processes, one of which is killed", async () => {
    await expectKept(capRace(sizes.capRace));
  });

  test("a token that was altered in one bit is refused", async () => {
    await expectKept(tokenFlips());
  });
});
