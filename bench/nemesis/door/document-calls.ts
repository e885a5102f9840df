import type { Dice } from "../../../server/testing/odd-dice.ts";

/** A request in parts, before it is written as bytes. */
export type Parts = {
  method: string;
  path: string;
  query: [string, string][];
  headers: [string, string][];
  /** A JSON value, text that is none, or nothing. */
  body: { json: unknown } | { text: string } | null;
};

export type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
};

export type Operation = {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
};

/** The service's own document of its interface. */
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Values that the service knows, by the names of parameters and members. */
export type Pools = Record<string, readonly string[]>;

/** Makes a request of an operation as the document has it, all of its parameters and members given. */
export function validCall(
  document: ApiDocument,
  { method, path }: { method: string; path: string },
  { dice, pools }: { dice: Dice; pools: Pools },
): Parts {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const query: [string, string][] = [];
  const headers: [string, string][] = [];
  let filled = path;
  for (const { name, in: place, required, schema } of operation?.parameters ?? []) {
    const value = String(sampleOf(document, name, schema, { dice, pools }));
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (!required && dice.chance(0.4)) continue;
    else if (place === "query") query.push([name, encodeURIComponent(value)]);
    else headers.push([name, value]);
  }
  const [type, content] = dice.oneOf(Object.entries(operation?.requestBody?.content ?? { none: null }));
  if (content === null || content === undefined) return { method, path: filled, query, headers, body: null };
  headers.push(["Content-Type", type]);
  const json = sampleOf(document, "", content.schema, { dice, pools });
  return { method, path: filled, query, headers, body: { json } };
}

const sampleOf = (
  document: ApiDocument,
  name: string,
  given: Schema,
  by: { dice: Dice; pools: Pools },
): unknown => {
  const { dice, pools } = by;
  const schema = resolved(document, given);
  const known = pools[name];
  if (known !== undefined && known.length > 0 && schema.type !== "array") return dice.oneOf(known);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return dice.oneOf(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return sampleOf(document, name, dice.oneOf(branches), by);
  switch (schema.type) {
    case "object": {
      const members = Object.entries(schema.properties ?? {}).filter(
        ([member]) => schema.required?.includes(member) || dice.chance(0.7),
      );
      return Object.fromEntries(members.map(([member, of]) => [member, sampleOf(document, member, of, by)]));
    }
    case "array":
      // `offerIds` are several of what one `offerId` is.
      return Array.from({ length: 1 + dice.below(3) }, () =>
        sampleOf(document, name.replace(/s$/, ""), schema.items ?? {}, by),
      );
    case "integer":
    case "number":
      return (
        (schema.minimum ?? 0) +
        dice.below(Math.min(1000, (schema.maximum ?? 1000) - (schema.minimum ?? 0)) + 1)
      );
    case "boolean":
      return dice.chance(0.5);
    default:
      return dice.oneOf(["DE", "US-NJ", "x", "2026-11-20", "travel"]).slice(0, schema.maxLength);
  }
};

const resolved = (document: ApiDocument, schema: Schema): Schema => {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : resolved(document, document.components.schemas[name] ?? {});
};
