import { formatPercent } from "./format.ts";

/** Hundredths of a per cent of a text in per cent, such as `12.5`; undefined for what is no share, or has more decimals. */
export function typedPercent(text: string): number | undefined {
  const [, units, decimals = ""] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  return units === undefined ? undefined : Number(units + decimals.padEnd(2, "0"));
}

/** The same, but null of an empty field, which leaves the share to somebody else. */
export function typedShare(text: string): number | null | undefined {
  return text.trim() === "" ? null : typedPercent(text);
}

/** Hundredths of a per cent, as every other share is written, without decimals that say nothing. */
export function shareText(basisPoints: number): string {
  return formatPercent(basisPoints / 10_000);
}
