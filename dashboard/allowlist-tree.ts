import type { AllowlistAnswer } from "@offers/contract/dash/websites";

type Allowlist = AllowlistAnswer["allowlist"];
export type Kind = "verticals" | "brands" | "offers";
/** An offer, a brand or a vertical with those that it stands in, the widest first. */
export type TreePath = readonly { kind: Kind; name: string }[];

export type NodeState = {
  /** Whether what is there may be shown, unless something in it says otherwise. */
  isOn: boolean;
  /** The vertical or brand whose block nothing in it can undo; null: none. */
  blockedBy: string | null;
};

/** Brands are the same whatever their case, as they are where offers are chosen. */
const keyOf = (kind: Kind, name: string): string =>
  kind === "brands" ? name.normalize("NFC").trim().toLowerCase() : name;

const has = (names: readonly string[], kind: Kind, name: string): boolean =>
  names.some((one) => keyOf(kind, one) === keyOf(kind, name));

/** What an allowlist says of a node: permitted is what is allowed, or everything, and in no block. */
export function stateOf({ mode, allow, block }: Allowlist, path: TreePath): NodeState {
  const above = path.slice(0, -1).find(({ kind, name }) => has(block[kind], kind, name));
  const isBlocked = path.some(({ kind, name }) => has(block[kind], kind, name));
  const isAllowed = mode === "all" || path.some(({ kind, name }) => has(allow[kind], kind, name));
  return { isOn: isAllowed && !isBlocked, blockedBy: above?.name ?? null };
}

/** The allowlist with a node turned on or off, by the fewest names. */
export function toggled(allowlist: Allowlist, path: TreePath): Allowlist {
  const node = path.at(-1);
  if (node === undefined) return allowlist;
  const { kind, name } = node;
  const without = (names: readonly string[]) => names.filter((one) => keyOf(kind, one) !== keyOf(kind, name));
  const { isOn } = stateOf(allowlist, path);
  const bare: Allowlist = {
    ...allowlist,
    allow: { ...allowlist.allow, [kind]: without(allowlist.allow[kind]) },
    block: { ...allowlist.block, [kind]: without(allowlist.block[kind]) },
  };
  if (stateOf(bare, path).isOn !== isOn) return bare;
  const set = isOn ? "block" : "allow";
  return { ...bare, [set]: { ...bare[set], [kind]: [...bare[set][kind], name].sort() } };
}
