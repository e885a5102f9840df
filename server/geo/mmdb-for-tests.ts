/** `8.8.8.0/24` or `2a10:d580::/32` as bits of an IPv6 tree, where IPv4 stands below ::/96. */
function networkBits(cidr: string): string {
  const [address = "", length = ""] = cidr.split("/");
  if (address.includes(":")) {
    const [head = "", tail = ""] = address.split("::");
    const [front, back] = [head, tail].map((part) => part.split(":").filter((group) => group !== ""));
    const gap = Array(8 - (front?.length ?? 0) - (back?.length ?? 0)).fill("0");
    const groups = [...(front ?? []), ...gap, ...(back ?? [])];
    return groups
      .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0"))
      .join("")
      .slice(0, Number(length));
  }
  const octets = address.split(".").map((octet) => Number(octet).toString(2).padStart(8, "0"));
  return "0".repeat(96) + octets.join("").slice(0, Number(length));
}

/** Writes a small database in MaxMind's format, version 2.0, with records of 24 bits, for tests. */
export function writeMmdb(
  networks: readonly (readonly [cidr: string, record: object])[],
  { type, builtAt }: { type: string; builtAt: number },
): Buffer {
  const data: Buffer[] = [];
  let dataBytes = 0;
  const root: Node = {};
  for (const [cidr, record] of networks) {
    const bits = networkBits(cidr);
    let node = root;
    for (const bit of bits.slice(0, -1)) {
      const side = bit === "0" ? "left" : "right";
      node[side] ??= {};
      node = node[side] as Node;
    }
    const bytes = encode(record);
    node[bits.at(-1) === "0" ? "left" : "right"] = dataBytes;
    data.push(bytes);
    dataBytes += bytes.length;
  }
  const nodes: Node[] = [];
  const collect = (node: Node): void => {
    nodes.push(node);
    for (const side of [node.left, node.right]) if (typeof side === "object") collect(side);
  };
  collect(root);
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [number, node] of nodes.entries()) {
    for (const [index, side] of [node.left, node.right].entries()) {
      const value =
        side === undefined
          ? nodes.length
          : typeof side === "number"
            ? nodes.length + 16 + side
            : (numbers.get(side) ?? 0);
      tree.writeUIntBE(value, number * 6 + index * 3, 3);
    }
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt / 1000),
    database_type: type,
    description: {},
    ip_version: 6,
    languages: ["en"],
    node_count: nodes.length,
    record_size: 24,
  });
  const marker = Buffer.from("abcdef4d61784d696e642e636f6d", "hex");
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

type Node = { left?: Node | number; right?: Node | number };

/** Maps, lists, texts and whole numbers, as https://maxmind.github.io/MaxMind-DB/ writes them. */
function encode(value: unknown): Buffer {
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(2, bytes.length), bytes]);
  }
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
  const members = Object.entries(value as object);
  return Buffer.concat([
    control(7, members.length),
    ...members.flatMap(([name, member]) => [encode(name), encode(member)]),
  ]);
}

/** Type and size; types from 8 on stand in a byte of their own. Sizes up to 284. */
function control(type: number, size: number): Buffer {
  const [short, rest] = size < 29 ? [size, []] : [29, [size - 29]];
  return type < 8 ? Buffer.from([(type << 5) | short, ...rest]) : Buffer.from([short, type - 7, ...rest]);
}
