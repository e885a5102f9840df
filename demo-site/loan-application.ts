/** The answers of an applicant. Sums are whole pounds; the income is that of one month, after tax. */
export type Application = {
  amount: number;
  months: number;
  income: number;
  employment: Employment;
  /** Whether the applicant has asked lenders and betting firms, through a register, not to be taken on. */
  onRegister: boolean;
};

export type Employment = keyof typeof employments;

/** The choices of the form. */
export const employments = {
  employed: "Employed",
  self_employed: "Self-employed",
  retired: "Retired, with a pension",
  studying: "Studying",
  between_jobs: "Between jobs",
} as const;

/** Over how many months a loan may be paid back. */
export const terms: readonly number[] = [12, 24, 36, 60];

/** The sums that are lent, in whole pounds. */
export const amounts = { least: 500, most: 25_000 } as const;

const mostIncome = 100_000;

export type FieldError = { field: keyof Application; message: string };

type ApplicationReading =
  | { ok: true; application: Application }
  | { ok: false; errors: readonly FieldError[] };

/** Reads the JSON of the form: numbers may stand as text, as fields have them, with commas and a pound sign. */
export function readApplication(body: unknown): ApplicationReading {
  const given = typeof body === "object" && body !== null ? body : {};
  const member = (name: keyof Application): unknown => Reflect.get(given, name);
  const amount = wholePounds(member("amount"));
  const months = wholePounds(member("months"));
  const income = wholePounds(member("income"));
  const employment = employmentOf(member("employment"));
  const { least, most } = amounts;

  const errors: FieldError[] = [];
  const refuse = (field: keyof Application, message: string) => errors.push({ field, message });
  if (amount === null) refuse("amount", "Enter the sum you would like to borrow, in whole pounds.");
  else if (amount < least || amount > most) {
    refuse("amount", `We lend from ${inPounds(least)} to ${inPounds(most)}. Enter a sum between the two.`);
  }
  if (months === null || !terms.includes(months)) refuse("months", "Choose how long to pay it back.");
  if (income === null) refuse("income", "Enter what you are paid a month after tax, in whole pounds.");
  else if (income > mostIncome) refuse("income", "That is a lot for one month. Enter one month’s pay.");
  if (employment === null) refuse("employment", "Choose what describes you best.");
  if (errors.length > 0 || amount === null || months === null || income === null || employment === null) {
    return { ok: false, errors };
  }
  return {
    ok: true,
    application: { amount, months, income, employment, onRegister: member("onRegister") === true },
  };
}

/** `£12,000`. */
export function inPounds(pounds: number): string {
  return `£${pounds.toLocaleString("en-GB")}`;
}

/** Null for anything but a whole number that is not negative. */
function wholePounds(value: unknown): number | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).trim().replace(/^£\s*/, "").replaceAll(",", "");
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : null;
}

function employmentOf(value: unknown): Employment | null {
  return typeof value === "string" && Object.hasOwn(employments, value) ? (value as Employment) : null;
}
