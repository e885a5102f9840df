import { describe, expect, it } from "vitest";
import { nameOf, notedEndpoints, readCallNotes } from "../testing/noted-calls.ts";

/** It runs when all others have ended, and reads what their services really answered. */
describe("the route tests", () => {
  const answered = readCallNotes();

  it.each(notedEndpoints.map(nameOf))("had a good answer, and a refusal if there are any: %s", (name) => {
    const statuses = [...(answered.get(name) ?? [])];
    expect(statuses, `no route test has called ${name}`).not.toEqual([]);
    expect(
      statuses.some((status) => status < 400),
      `${name}: ${statuses}`,
    ).toBe(true);
    const isNeverRefused = /\/(?:healthz|gpc\.json)$/.test(name);
    expect(
      statuses.some((status) => status >= 400),
      `${name}: ${statuses}`,
    ).toBe(!isNeverRefused);
  });
});
