/** The members of a JSON object; none for any other value. */
export function members(value: unknown): Record<string, unknown> {
  return Object(value) as Record<string, unknown>;
}

/** The named members as texts without their outer white space; `""` for one that is no text. */
export function texts<Name extends string>(value: unknown, ...names: Name[]): Record<Name, string> {
  const from = members(value);
  const read = (name: Name) => (typeof from[name] === "string" ? from[name].trim() : "");
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, string>;
}
