import type { Whole } from "./api.ts";
import { formatExactMoney, formatMoney, majorUnits } from "./format.ts";

/** An amount of a currency that may not be known yet; then the number alone. */
export function moneyText(micros: Whole, currency: string | null): string {
  return currency === null ? plainAmount(micros) : formatMoney(micros, currency);
}

/** The same with every digit that it has. */
export function exactMoneyText(micros: Whole, currency: string | null): string {
  return currency === null ? plainAmount(micros) : formatExactMoney(micros, currency);
}

/** An amount as somebody types it: at least two decimals, and no more than it needs. */
export function plainAmount(micros: Whole): string {
  return majorUnits(micros).replace(/(\.\d{2}\d*?)0+$/, "$1");
}

/**
 * Micro-units of an amount that was typed, such as `0.45`; null for an empty field, undefined for what is no amount. The
 * service reads amounts of deposits by itself, and judges what this makes of others.
 */
export function typedMicros(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === "") return null;
  const [, units, decimals = ""] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(typed) ?? [];
  if (units === undefined) return undefined;
  const micros = Number(units + decimals.padEnd(6, "0"));
  return Number.isSafeInteger(micros) ? micros : undefined;
}
