import type { DashWebsite } from "@offers/contract/dash/websites";

type Members = Record<string, unknown>;

/**
 * What has to be sent for `after` to come of `before`, by RFC 7396: members that differ, and null for those that are gone. What
 * somebody else has changed meanwhile is not in it, and so stays.
 */
export function patchOf(before: object, after: object): Members {
  const patch: Members = {};
  const [old, now] = [before as Members, after as Members];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const [was, is] = [old[name], now[name]];
    if (isSame(was, is)) continue;
    patch[name] = is === undefined ? null : isMembers(was) && isMembers(is) ? patchOf(was, is) : is;
  }
  return patch;
}

/**
 * What comes of `theirs` where somebody does to it what they have done to `before`: members that they changed are as in `mine`, and of a
 * list go the names that they took away and come those that they added.
 */
export function mergeOver<Value extends object>(before: Value, mine: Value, theirs: Value): Value {
  return merged(before, mine, theirs) as Value;
}

/**
 * The same for the rule of a website's places. What a place's name means is its mode: a name that was added to one would be turned into its
 * opposite by another, so the two are taken together, as in `mine`, where either was changed there and the mode on any side.
 */
export function mergePlaces<Value extends Pick<DashWebsite, "geoRule">>(
  before: Value,
  mine: Value,
  theirs: Value,
): Value {
  const over = mergeOver(before, mine, theirs);
  const { mode, entries } = mine.geoRule;
  const was = before.geoRule;
  const isTouched = mode !== was.mode || !isSame(entries, was.entries);
  const isOneMode = mode === was.mode && mode === theirs.geoRule.mode;
  return isTouched && !isOneMode ? { ...over, geoRule: { ...over.geoRule, mode, entries } } : over;
}

/** The names of `theirs` without those that `mine` has no more of `before`, and with those that it has besides. */
export function mergeNames(
  before: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): string[] {
  const stays = theirs.filter((name) => mine.includes(name) || !before.includes(name));
  return [...new Set([...stays, ...mine.filter((name) => !before.includes(name))])];
}

/**
 * Of what was changed, what is not as it was sent: it was typed while that was under way. Where something else was saved than was sent,
 * since others had changed it too, it is done to what was saved.
 */
export function changedSince<Value extends object>(
  changes: Partial<Value>,
  sent: Value,
  saved: Value,
  merge: (before: Value, mine: Value, theirs: Value) => Value = mergeOver,
): Partial<Value> {
  const [was, stands] = [sent as Members, saved as Members];
  const left = Object.entries(changes)
    .filter(([name, value]) => !isSame(value, was[name]))
    .map(([name, value]) =>
      isSame(stands[name], was[name])
        ? [name, value]
        : [name, (merge(sent, { ...sent, [name]: value }, saved) as Members)[name]],
    );
  return Object.fromEntries(left) as Partial<Value>;
}

/** Whether two values have the same members, whatever their order. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, at) => isSame(value, other[at]));
  }
  if (!isMembers(one) || !isMembers(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) =>
    isSame(one[name], other[name]),
  );
}

/** Whether a value has members by name, as an object of JSON. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const merged = (before: unknown, mine: unknown, theirs: unknown): unknown => {
  if (isSame(before, mine)) return theirs;
  if (isNames(before) && isNames(mine) && isNames(theirs)) return mergeNames(before, mine, theirs);
  if (!isMembers(before) || !isMembers(mine) || !isMembers(theirs)) return mine;
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const members = [...names].map((name) => [name, merged(before[name], mine[name], theirs[name])] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
};

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
