import type { Progress } from "./copy-table.ts";

/** How far each table has come, as the target keeps it; bytes stand in it as `{"hex":"…"}`. */
export function progressText(progress: ReadonlyMap<string, Progress>): string {
  return JSON.stringify(
    Object.fromEntries(
      [...progress].map(([table, { after, ...rest }]) => [
        table,
        {
          ...rest,
          after: after?.map((value) =>
            value instanceof Uint8Array ? { hex: Buffer.from(value).toString("hex") } : value,
          ),
        },
      ]),
    ),
  );
}

/** The same read again. */
export function notedProgress(text: string): Map<string, Progress> {
  const noted = JSON.parse(text) as Record<string, NotedProgress>;
  return new Map(
    Object.entries(noted).map(([table, { after, ...rest }]) => [
      table,
      {
        ...rest,
        after:
          after?.map((value) =>
            typeof value === "object" && value !== null ? Buffer.from(value.hex, "hex") : value,
          ) ?? null,
      },
    ]),
  );
}

type NotedProgress = Omit<Progress, "after"> & {
  after?: readonly (number | string | null | { hex: string })[] | null;
};
