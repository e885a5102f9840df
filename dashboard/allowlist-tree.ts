import type { AllowlistAnswer, TreeOffer } from "@offers/contract/dash/websites";

type Allowlist = AllowlistAnswer["allowlist"];
type Kind = "verticals" | "brands" | "offers";
type TreeNode = {
  kind: Kind;
  name: string;
  /** What two spellings of its name have in common. */
  key: string;
};
/** An offer, a brand or a vertical with those that it stands in, the widest first. */
export type TreePath = readonly TreeNode[];

type NodeState = {
  /** Whether what is there may be shown, unless something in it says otherwise. */
  isOn: boolean;
  /** The vertical or brand whose block nothing in it can undo; null: none. */
  blockedBy: string | null;
};

/** A node of the tree as it is drawn. */
type DrawnNode = { name: string; path: TreePath; state: NodeState };
/** One that has offers in it. */
type DrawnGroup = DrawnNode & {
  /** Whether some of them are the other way. */
  isMixed: boolean;
  /** How many of them may be shown. */
  on: number;
  offers: number;
};
type DrawnOffer = DrawnNode & { offer: TreeOffer };
export type DrawnBrand = DrawnGroup & { inside: DrawnOffer[] };
type DrawnVertical = DrawnGroup & { inside: DrawnBrand[] };

/** Brands are the same whatever their case, as they are where offers are chosen. */
const keyOf = (kind: Kind, name: string): string =>
  kind === "brands" ? name.normalize("NFC").trim().toLowerCase() : name;

/** A step of a path. */
export const nodeOf = (kind: Kind, name: string): TreeNode => ({ kind, name, key: keyOf(kind, name) });

/** What an allowlist says of any node: made once for as many as are asked for, since it may name hundreds of brands. */
function judgeNodes({ mode, allow, block }: Allowlist): (path: TreePath) => NodeState {
  const [allowed, blocked] = [keysOf(allow), keysOf(block)];
  return (path) => {
    const blocking = path.find(({ kind, key }) => blocked[kind].has(key));
    const isAllowed = mode === "all" || path.some(({ kind, key }) => allowed[kind].has(key));
    const isAbove = blocking !== undefined && blocking !== path.at(-1);
    return { isOn: isAllowed && blocking === undefined, blockedBy: isAbove ? blocking.name : null };
  };
}

const keysOf = (names: Allowlist["allow"]): Record<Kind, ReadonlySet<string>> => ({
  verticals: new Set(names.verticals),
  brands: new Set(names.brands.map((name) => keyOf("brands", name))),
  offers: new Set(names.offers),
});

/** What an allowlist says of a node: permitted is what is allowed, or everything, and in no block. */
export function stateOf(allowlist: Allowlist, path: TreePath): NodeState {
  return judgeNodes(allowlist)(path);
}

/** The allowlist with a node turned on or off, by the fewest names. */
export function toggled(allowlist: Allowlist, path: TreePath): Allowlist {
  const node = path.at(-1);
  if (node === undefined) return allowlist;
  const { kind, name, key } = node;
  const without = (names: readonly string[]) => names.filter((one) => keyOf(kind, one) !== key);
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

/** The tree as an allowlist has it, each offer judged once. */
export function drawnTree(verticals: AllowlistAnswer["verticals"], allowlist: Allowlist): DrawnVertical[] {
  const judge = judgeNodes(allowlist);
  return verticals.map(({ vertical, brands }) => {
    const path = [nodeOf("verticals", vertical)];
    const inside = brands.map(({ brand, offers }): DrawnBrand => {
      const ofBrand = [...path, nodeOf("brands", brand)];
      const drawn = offers.map((offer): DrawnOffer => {
        const ofOffer = [...ofBrand, nodeOf("offers", offer.offerId)];
        return { name: offer.title, path: ofOffer, state: judge(ofOffer), offer };
      });
      const on = drawn.filter(({ state }) => state.isOn).length;
      return { ...group(brand, ofBrand, judge(ofBrand), on, drawn.length), inside: drawn };
    });
    const sum = (countOf: (brand: DrawnBrand) => number) =>
      inside.reduce((all, brand) => all + countOf(brand), 0);
    const [on, offers] = [sum((brand) => brand.on), sum((brand) => brand.offers)];
    return { ...group(vertical, path, judge(path), on, offers), inside };
  });
}

const group = (name: string, path: TreePath, state: NodeState, on: number, offers: number): DrawnGroup => ({
  ...{ name, path, state, on, offers },
  isMixed: state.isOn ? on < offers : on > 0,
});
