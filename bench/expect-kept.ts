import { expect } from "vitest";
import type { Check } from "./checks.ts";

/** Expects of a program that it has checked something, and that all of it holds. */
export async function expectKept(program: Promise<readonly Check[]>): Promise<void> {
  const checks = await program;
  expect(checks.length).toBeGreaterThan(3);
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
}
