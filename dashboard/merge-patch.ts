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

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
