import { expect, test } from "vitest";
import { askPasswordBy, isPasswordGiven } from "./ask-password.ts";

test("calls that need the password at once are answered by one question, and later ones by another", async () => {
  const answers: ((isGiven: boolean) => void)[] = [];
  const stop = askPasswordBy(() => new Promise((resolve) => answers.push(resolve)));
  const both = Promise.all([isPasswordGiven(), isPasswordGiven()]);
  expect(answers).toHaveLength(1);
  answers[0]?.(true);
  expect(await both).toEqual([true, true]);
  const later = isPasswordGiven();
  expect(answers).toHaveLength(2);
  answers[1]?.(false);
  expect(await later).toBe(false);
  stop();
  expect(await isPasswordGiven()).toBe(false);
  expect(answers).toHaveLength(2);
});
