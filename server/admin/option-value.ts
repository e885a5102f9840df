import type { Option } from "./command.ts";
import { didYouMean } from "./nearest.ts";

export type OptionValue = { ok: true; value: unknown } | { ok: false; message: string };

/** What the text after an option means; the message of a refusal tells what would be right. */
export function readOptionValue(option: Option, text: string): OptionValue {
  if (option.clearable && (text === "none" || (text === "" && option.kind === "text"))) {
    return { ok: true, value: null };
  }
  switch (option.kind) {
    case "text":
      return text === "" && !option.mayBeEmpty
        ? { ok: false, message: "must not be empty" }
        : { ok: true, value: text };
    case "list":
      return readList(text);
    case "micros":
      return readMicros(option, text);
    case "count":
      return within(option, readWhole(text, "must be a whole number, such as 300"));
    case "choice":
      return readChoice(text, option.choices ?? []);
    case "flag":
      return { ok: false, message: "takes no value" };
    default:
      return option.kind satisfies never;
  }
}

/** Digits alone: a point, an exponent, a sign or another base would make an amount that looks like another one. */
const readWhole = (text: string, rule: string, given = text): OptionValue => {
  const value = Number(text);
  if (/^(0|[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(value)) return { ok: true, value };
  const most = /^[0-9]+$/.test(text) ? `, at most ${Number.MAX_SAFE_INTEGER} and without leading zeros` : "";
  return { ok: false, message: `${rule}${most} (given: ${JSON.stringify(given)})` };
};

const millionths = "must be a whole number of millionths of the currency, such as 450000 for 0.45";

const readMicros = ({ mayBeNegative }: Option, text: string): OptionValue => {
  if (!mayBeNegative) return readWhole(text, millionths);
  const isNegative = mayBeNegative === true && /^-[^0]/.test(text);
  const read = readWhole(
    isNegative ? text.slice(1) : text,
    `${millionths}, or -450000 to take that away`,
    text,
  );
  return read.ok && isNegative ? { ok: true, value: -Number(read.value) } : read;
};

const within = (
  { least = 0, most = Number.MAX_SAFE_INTEGER }: Pick<Option, "least" | "most">,
  read: OptionValue,
): OptionValue => {
  if (!read.ok || typeof read.value !== "number") return read;
  if (read.value < least) return { ok: false, message: `must be at least ${least} (given: ${read.value})` };
  if (read.value > most) return { ok: false, message: `must be at most ${most} (given: ${read.value})` };
  return read;
};

/** An empty text is the empty list, so that a list can be cleared. `\,` is a comma within an entry, as brands have. */
const readList = (text: string): OptionValue => {
  if (text.trim() === "") return { ok: true, value: [] };
  const value = text.split(/(?<!\\),/).map((item) => item.replaceAll("\\,", ",").trim());
  if (value.every((item) => item !== "")) return { ok: true, value };
  return { ok: false, message: `has an empty entry between its commas (given: ${JSON.stringify(text)})` };
};

const readChoice = (text: string, choices: readonly string[]): OptionValue => {
  if (choices.includes(text)) return { ok: true, value: text };
  const rule = `must be one of ${choices.join(", ")} (given: ${JSON.stringify(text)})`;
  return { ok: false, message: rule + didYouMean(text.toLowerCase(), choices) };
};
