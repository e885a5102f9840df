/** An amount as whole micro-units, or what is wrong with the text. */
export type DecimalAmount = { ok: true; micros: number } | { ok: false; message: string };

/**
 * Reads what somebody typed as an amount of money, such as `250.00`, to the last micro-unit: digits, and a point before at
 * most six decimals. Exact, for no float is on the way. A comma is refused, for it means thousands to one reader and
 * decimals to the next.
 */
export function readAmount(text: string): DecimalAmount {
  const typed = text.trim();
  if (typed.includes(",")) {
    return refused(
      "must have a point before its decimals and nothing between its thousands, such as 1250.50",
    );
  }
  const [, units, decimals = ""] = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(typed) ?? [];
  if (units === undefined) return refused("must be an amount such as 250.00");
  if (decimals.length > 6) return refused("must have at most 6 decimals: nothing is billed in smaller parts");
  const micros = BigInt(units + decimals.padEnd(6, "0"));
  if (micros > Number.MAX_SAFE_INTEGER) return refused("must be at most 9007199254.740991");
  return { ok: true, micros: Number(micros) };
}

/** The same where what is added may be taken away: a minus may stand before it. */
export function readSignedAmount(text: string): DecimalAmount {
  const typed = text.trim();
  if (!/^-\S/.test(typed)) return readAmount(typed);
  const read = readAmount(typed.slice(1));
  // Not -0, which is no amount that a column takes.
  return read.ok ? { ok: true, micros: 0 - read.micros } : read;
}

/** Whole micro-units, at least 0, as somebody would type them: with two decimals, and more where it has more. */
export function decimalAmount(micros: number): string {
  const decimals = String(micros % 1_000_000).padStart(6, "0");
  return `${Math.floor(micros / 1_000_000)}.${decimals.replace(/0{1,4}$/, "")}`;
}

const refused = (message: string): DecimalAmount => ({ ok: false, message });
