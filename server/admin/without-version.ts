/** What is printed of a row. Its version is for edits that depend on one, and no command makes such. */
export function withoutVersion<Row extends { version: number }>(row: Row): Omit<Row, "version"> {
  const { version: _, ...rest } = row;
  return rest;
}
