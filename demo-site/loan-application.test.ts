import { expect, test } from "vitest";
import { readApplication } from "./loan-application.ts";

const good = { amount: "5000", months: "24", income: "1900", employment: "employed", onRegister: false };

test("an application is read as its form sends it", () => {
  expect(readApplication(good)).toEqual({
    ok: true,
    application: { amount: 5000, months: 24, income: 1900, employment: "employed", onRegister: false },
  });
});

test.each([
  ["£5,000", 5000],
  [" 12,500 ", 12_500],
  [25_000, 25_000],
])("the sum %o is understood", (amount, expected) => {
  expect(readApplication({ ...good, amount })).toMatchObject({ application: { amount: expected } });
});

test("only a plain yes says that somebody is on the register", () => {
  for (const onRegister of ["true", 1, undefined]) {
    expect(readApplication({ ...good, onRegister })).toMatchObject({ application: { onRegister: false } });
  }
  expect(readApplication({ ...good, onRegister: true })).toMatchObject({ application: { onRegister: true } });
});

test.each([
  ["amount", ""],
  ["amount", "499"],
  ["amount", "25001"],
  ["amount", "-5000"],
  ["amount", "5000.50"],
  ["amount", "1e4"],
  ["amount", "<script>"],
  ["amount", ["5000"]],
  ["amount", Number.NaN],
  ["months", "13"],
  ["months", null],
  ["income", "plenty"],
  ["income", "100001"],
  ["employment", ""],
  ["employment", "toString"],
  ["employment", "__proto__"],
])("%s %o is refused by its name alone, and not repeated", (field, value) => {
  const reading = readApplication({ ...good, [field]: value });
  if (reading.ok) throw new Error("accepted");
  expect(reading.errors.map((error) => error.field)).toEqual([field]);
  expect(JSON.stringify(reading.errors)).not.toMatch(/script|toString|proto/);
});

test.each([[{}], [null], ["text"], [[]], [undefined]])("%o misses every answer", (body) => {
  const reading = readApplication(body);
  if (reading.ok) throw new Error("accepted");
  expect(reading.errors.map(({ field }) => field)).toEqual(["amount", "months", "income", "employment"]);
});
