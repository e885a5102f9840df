/** Rows of cells in columns that line up, two spaces apart; the last column is as wide as it is. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export type Definition = readonly [name: string, meaning: string];

/** Names and what they mean, the meaning wrapped beside the name for a terminal of 100 columns. */
export function definitions(rows: readonly Definition[]): string {
  const indent = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  const hang = " ".repeat(indent);
  return rows
    .map(([name, meaning]) => wrapped([name.padEnd(indent - 1), ...meaning.split(" ")], { width: 98, hang }))
    .join("\n");
}

/** Words in lines of at most `width`; further lines begin with `hang`, broken ones end with `end`. */
export function wrapped(
  words: readonly string[],
  { width, hang, end = "" }: { width: number; hang: string; end?: string },
): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(word);
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(hang + word);
  }
  return lines.join(`${end}\n`);
}

/** A title row above the rows, or a word when there is none. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? "none" : aligned([titles, ...rows]);
}

/** One line a member: name and value. */
export function facts(members: Readonly<Record<string, string | number>>): string {
  return aligned(Object.entries(members).map(([name, value]) => [name, String(value)]));
}

/** A moment as its UTC date for reading; `-` for none. Milliseconds since the epoch, of which a date has 8.64e15 at the most. */
export function dayOf(at: number | null): string {
  if (at === null) return "-";
  return at > 8.64e15 ? "never" : new Date(at).toISOString().slice(0, 10);
}

/** An amount for reading, exact: `0.45`, `1,250.00`. Micro-units, whole. */
export function amount(micros: number | bigint): string {
  const [all, sign] = micros < 0 ? [-BigInt(micros), "-"] : [BigInt(micros), ""];
  const rest = String(all % 1_000_000n).padStart(6, "0");
  return `${sign}${(all / 1_000_000n).toLocaleString("en")}.${rest.replace(/0{1,4}$/, "")}`;
}
