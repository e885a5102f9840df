import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { audit } from "../store/books/audit.ts";
import { recount } from "../store/books/recount.ts";
import { newOperator, type Operator, setUp } from "./operator-for-tests.ts";

vi.mock(import("../store/books/audit.ts"), async (original) => ({ audit: vi.fn((await original()).audit) }));
vi.mock(import("../store/books/recount.ts"), async (original) => ({
  ...(await original()),
  recount: vi.fn((await original()).recount),
}));

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

test.each([
  ["recount", vi.mocked(recount).mockRejectedValueOnce],
  ["audit", vi.mocked(audit).mockRejectedValueOnce],
] as const)(
  "a %s that is cut off does not leave the end of the one before it standing",
  async (kind, failOnce) => {
    await setUp(operator);
    expect((await operator.run([kind])).code).toBe(0);
    failOnce(new Error("a page cannot be read"));
    await operator.run([kind]).catch(() => undefined);
    const runs = await operator.observe(({ stored }) => stored.table("run_note"));
    expect(runs).toMatchObject([{ kind, is_good: 0, says: "a page cannot be read" }]);
  },
);
