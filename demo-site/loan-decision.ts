import { type Application, inPounds } from "./loan-application.ts";

/** Why an application is declined: the first reason that holds. `self_excluded` is a word that the service knows. */
type DeclineReason = "self_excluded" | "no_regular_income" | "amount_above_income";

export type LoanDecision =
  | { outcome: "approved"; monthlyPayment: string; total: string }
  | { outcome: "declined"; reason: DeclineReason; explanation: string };

/** How many months of income are lent at most. */
export const incomesLent = 4;

const yearlyRate = 0.089;

/** The lender's whole rule, as its page states it. */
export function decideLoan({ amount, months, income, employment, onRegister }: Application): LoanDecision {
  if (onRegister) {
    return declined(
      "self_excluded",
      "You have asked lenders not to take you on, and we keep to that. Nothing else was looked at.",
    );
  }
  if (employment === "studying" || employment === "between_jobs") {
    return declined(
      "no_regular_income",
      "We lend to people with a wage, a business or a pension. You can come back when that has changed.",
    );
  }
  const most = income * incomesLent;
  if (amount > most) {
    return declined(
      "amount_above_income",
      `${inPounds(amount)} is more than ${incomesLent} times ${inPounds(income)} a month. The most we could lend you is ${inPounds(most)}.`,
    );
  }
  const payment = annuityPence(amount, months);
  return { outcome: "approved", monthlyPayment: penceText(payment), total: penceText(payment * months) };
}

function declined(reason: DeclineReason, explanation: string): LoanDecision {
  return { outcome: "declined", reason, explanation };
}

/** Equal monthly payments, in pence, rounded up. */
function annuityPence(pounds: number, months: number): number {
  const monthlyRate = yearlyRate / 12;
  return Math.ceil((pounds * 100 * monthlyRate) / (1 - (1 + monthlyRate) ** -months));
}

function penceText(pence: number): string {
  return `£${(pence / 100).toLocaleString("en-GB", { minimumFractionDigits: 2 })}`;
}
