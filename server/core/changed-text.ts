import type { ChangedMember } from "@offers/contract/dash/activity";

type Members = Readonly<Record<string, unknown>>;

/** What a change did, member by member at whatever depth, each value as text. */
export function changedTexts(before: Members | null, after: Members | null): ChangedMember[] {
  const [was, is] = [new Map(leavesOf(before ?? {})), new Map(leavesOf(after ?? {}))];
  return [...new Set([...was.keys(), ...is.keys()])].map((member) => ({
    member,
    before: was.get(member) ?? null,
    after: is.get(member) ?? null,
  }));
}

/** A change in one line, such as `theme: dark → light; title: – → Hello`. */
export function changedLine(changes: readonly ChangedMember[]): string {
  return changes
    .map(({ member, before, after }) => `${member}: ${before ?? "–"} → ${after ?? "–"}`)
    .join("; ");
}

const leavesOf = (members: object, path = ""): [string, string][] =>
  Object.entries(members).flatMap(([name, value]): [string, string][] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? leavesOf(value, `${path}${name}.`)
      : [[path + name, textOf(value)]],
  );

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ");
};
