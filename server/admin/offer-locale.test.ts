import { afterEach, beforeEach, expect, test } from "vitest";
import { newOperator, type Operator, setUp } from "./operator-for-tests.ts";

let operator: Operator;
let offerId: string;
beforeEach(async () => {
  operator = newOperator();
  ({ offerId } = await setUp(operator));
});
afterEach(() => operator.leave());

const update = (...words: string[]) => operator.run(["offer", "update", "--offer", offerId, ...words]);
const shown = () => operator.done("offer show --offer", offerId);

test("texts are saved by locale, beside those that are there, and taken out by an empty one", async () => {
  expect(await update("--language", "en-gb", "--locale", "de", "--title", "Zwei Tage am Meer")).toMatchObject(
    {
      code: 0,
    },
  );
  await update("--locale", "DE", "--terms", "Nur neu");
  await update("--locale", "pt_br", "--cta", "Reservar", "--payout-micros", "5");
  expect(await shown()).toMatchObject({
    title: "Two nights by the sea",
    language: "en-GB",
    payoutMicros: 5,
    locales: { de: { title: "Zwei Tage am Meer", terms: "Nur neu" }, "pt-BR": { ctaText: "Reservar" } },
  });
  await update("--locale", "de", "--terms", "");
  await update("--locale", "pt-BR", "--cta", "");
  expect((await shown()).locales).toEqual({ de: { title: "Zwei Tage am Meer" } });
});

test("show and list name the locales", async () => {
  const last = async (verb: string, ...words: string[]) =>
    (await operator.run(["offer", verb, ...words])).out;
  expect(await last("show", "--offer", offerId)).toMatch(/^locales +-$/m);
  await update("--locale", "ja", "--title", "T");
  await update("--locale", "de", "--title", "Zwei Tage am Meer");
  const text = await last("show", "--offer", offerId);
  expect(text).toMatch(/^locales +de,ja$/m);
  expect(text).toMatch(/^title:de +Zwei Tage am Meer$/m);
  const [titles = "", row = ""] = (await last("list")).split("\n");
  expect(row.slice(titles.indexOf("LOCALES")).split(" ")[0]).toBe("de,ja");
});

test.each([
  [["--locale", "German", "--title", "x"], /^--locale: must be a language tag .* \(given: "German"\)/],
  [["--locale", "de"], /^--locale: give a text in it as well/],
  [["--locale", "de", "--premium"], /^--locale: give a text in it as well/],
  [["--locale", "de", "--cta", "x".repeat(41)], /^--cta: must be at most 40 characters/],
  [["--language", "German"], /^--language: must be a language tag/],
])("%j is refused and changes nothing", async (words, message) => {
  const before = await shown();
  const { code, err } = await update(...words);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(await shown()).toEqual(before);
});
