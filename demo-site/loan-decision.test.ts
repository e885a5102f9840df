import { expect, test } from "vitest";
import type { Application } from "./loan-application.ts";
import { decideLoan } from "./loan-decision.ts";

const application = (given: Partial<Application>): Application => ({
  amount: 4000,
  months: 24,
  income: 1000,
  employment: "employed",
  onRegister: false,
  ...given,
});

test.each([
  ["four times the income", {}, "approved"],
  ["a pound more", { amount: 4001 }, "amount_above_income"],
  ["no income at all", { income: 0 }, "amount_above_income"],
  ["a business", { employment: "self_employed" }, "approved"],
  ["a pension", { employment: "retired" }, "approved"],
  ["studies", { employment: "studying" }, "no_regular_income"],
  ["no work", { employment: "between_jobs", amount: 25_000 }, "no_regular_income"],
  [
    "a place on the register, whatever else holds",
    { onRegister: true, employment: "studying" },
    "self_excluded",
  ],
] as const)("an applicant with %s", (_name, given, expected) => {
  const decision = decideLoan(application(given));
  expect(decision.outcome === "approved" ? "approved" : decision.reason).toBe(expected);
});

test("the explanation says what would have been lent", () => {
  const decision = decideLoan(application({ amount: 20_000, income: 1500 }));
  expect(decision).toMatchObject({ explanation: expect.stringContaining("£6,000") });
});

test("an approved loan is paid back in equal parts that make up the total", () => {
  const decision = decideLoan(application({ amount: 1200, months: 12 }));
  expect(decision).toEqual({ outcome: "approved", monthlyPayment: "£104.89", total: "£1,258.68" });
});
