/** Hundredths of a per cent as somebody types them; null for an empty field, undefined for what is no share. */
export function typedShare(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === "") return null;
  return /^\d{1,5}$/.test(typed) ? Number(typed) : undefined;
}

/** Hundredths of a per cent of a text in per cent, such as `12.5`; undefined for what is no share, or has more decimals. */
export function typedPercent(text: string): number | undefined {
  const [, units, decimals = ""] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  return units === undefined ? undefined : Number(units + decimals.padEnd(2, "0"));
}

/** Hundredths of a per cent as per cent. */
export function shareText(basisPoints: number): string {
  return `${(basisPoints / 100).toFixed(2).replace(/\.?0+$/, "")} %`;
}
