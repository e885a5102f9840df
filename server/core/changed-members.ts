/** An object's members by their names. */
type Members = Readonly<Record<string, unknown>>;

/** What changed, as it was and as it is; null: it was not there, or is not there any more. */
export type Difference = { before: Members | null; after: Members | null };

/** Of a longer list only what came and what went is told, and of that no more than this. */
const mostEntries = 30;
/** An address is no longer. */
const mostCharacters = 2100;

/**
 * The members in which two values of one thing differ, at whatever depth; null when they differ in none. What is
 * new, or gone, is told whole. Short enough to be kept: lists and texts that are very long are cut, with a mark.
 */
export function changedMembers(before: object | null, after: object | null): Difference | null {
  if (before === null || after === null) {
    if (before === after) return null;
    return { before: before && bounded(before), after: after && bounded(after) };
  }
  return differenceOf(before, after);
}

const differenceOf = (before: object, after: object): { before: Members; after: Members } | null => {
  const [was, is] = [new Map<string, unknown>(), new Map<string, unknown>()];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other]: unknown[] = [Reflect.get(before, name), Reflect.get(after, name)];
    const told = isObject(one) && isObject(other) ? differenceOf(one, other) : pairOf(one, other);
    if (told === null) continue;
    if (one !== undefined) was.set(name, told.before);
    if (other !== undefined) is.set(name, told.after);
  }
  return was.size + is.size === 0 ? null : { before: Object.fromEntries(was), after: Object.fromEntries(is) };
};

const pairOf = (one: unknown, other: unknown): { before: unknown; after: unknown } | null => {
  if (JSON.stringify(one) === JSON.stringify(other)) return null;
  const [before, after] = withoutCommon(one, other);
  return { before: shortened(before), after: shortened(after) };
};

const withoutCommon = (one: unknown, other: unknown): [unknown, unknown] => {
  if (!Array.isArray(one) || !Array.isArray(other)) return [one, other];
  if (Math.max(one.length, other.length) <= mostEntries) return [one, other];
  const [before, after] = [new Set<unknown>(one), new Set<unknown>(other)];
  return [one.filter((entry) => !after.has(entry)), other.filter((entry) => !before.has(entry))];
};

const bounded = (value: object): Members =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));

const shortened = (value: unknown): unknown => {
  if (typeof value === "string") {
    return value.length <= mostCharacters ? value : `${value.slice(0, mostCharacters)}…`;
  }
  if (Array.isArray(value)) {
    const told = value.slice(0, mostEntries).map(shortened);
    return value.length <= mostEntries ? told : [...told, `… and ${value.length - mostEntries} more`];
  }
  return isObject(value) ? bounded(value) : value;
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
