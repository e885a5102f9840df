import { openMark } from "@offers/contract/open-word";

/** As much of an OpenAPI 3.1 document as is compared. */
export type ApiDocument = {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components?: Json;
};

type Json = { readonly [name: string]: unknown };
type Operation = {
  parameters?: readonly { name: string; in: string; required?: boolean; schema?: Json }[];
  requestBody?: { required?: boolean; content?: Contents };
  responses?: Readonly<Record<string, { content?: Contents }>>;
};
type Contents = Readonly<Record<string, { schema?: Json }>>;

/** Who writes what a schema describes: a caller, from whom nothing more may be wanted, or we, who may leave nothing out. */
type Writer = "caller" | "us";

const methods = ["get", "put", "post", "delete", "patch"];

/**
 * What callers of the earlier document lose by the later one: endpoints, parameters, statuses, members and words that are gone;
 * of what they send a type that is refused, a narrower range, and what has to be given and had not to be; of what they are
 * answered another type, what may be missing, and a word that is new in a list that was not marked as one that may grow. Within `/v1` nothing is lost in any version, deprecated or not. What a text
 * means it cannot tell, nor what a new pattern refuses.
 */
export function lossesBetween(before: ApiDocument, after: ApiDocument): string[] {
  const schemas = { before, after };
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const [was, is] = [operations[method], after.paths[path]?.[method]];
      const where = `${method.toUpperCase()} ${path}`;
      if (was === undefined) return [];
      return is === undefined ? [`${where} is gone`] : lossesOf(was, is, where, schemas);
    }),
  );
}

type Documents = { before: ApiDocument; after: ApiDocument };

const lossesOf = (was: Operation, is: Operation, where: string, documents: Documents): string[] => {
  const [old, present] = [parametersOf(was), parametersOf(is)];
  return [
    ...[...old.keys()].filter((name) => !present.has(name)).map((name) => `${where}: ${name} is gone`),
    ...[...present].flatMap(([name, one]) => {
      const earlier = old.get(name);
      if (one.required && !earlier?.required) return [`${where}: ${name} must be given`];
      return narrowed(earlier?.schema, one.schema, {
        where: `${where}: ${name}`,
        writer: "caller",
        documents,
      });
    }),
    ...(is.requestBody?.required && !was.requestBody?.required ? [`${where}: a body must be given`] : []),
    ...lossesOfContents(was.requestBody?.content, is.requestBody?.content, {
      where: `${where}: body`,
      writer: "caller",
      documents,
    }),
    ...Object.entries(was.responses ?? {}).flatMap(([status, { content }]) => {
      const answer = is.responses?.[status];
      if (answer === undefined) return [`${where}: ${status} is gone`];
      return lossesOfContents(content, answer.content, {
        where: `${where}: ${status}`,
        writer: "us",
        documents,
      });
    }),
  ];
};

const parametersOf = ({ parameters = [] }: Operation) =>
  new Map(parameters.map((one) => [`${one.in} ${one.name}`, one] as const));

type Place = {
  where: string;
  writer: Writer;
  documents: Documents;
  /** Which two are being compared already: schemas may hold themselves. */
  seen?: readonly (readonly [was: unknown, is: unknown])[];
};

const lossesOfContents = (was: Contents = {}, is: Contents = {}, place: Place): string[] =>
  Object.entries(was).flatMap(([type, { schema }]) => {
    const later = is[type];
    if (later === undefined) return [`${place.where} is no ${type} any more`];
    return narrowed(schema, later.schema, place);
  });

const narrowed = (one: unknown, other: unknown, place: Place): string[] => {
  const { where, writer, documents, seen = [] } = place;
  const pair = [nameOf(one), nameOf(other)] as const;
  if (seen.some(([was, is]) => was === pair[0] && is === pair[1])) return [];
  const was = resolved(one, documents.before);
  const is = resolved(other, documents.after);
  if (was === null || is === null) return [];
  const within: Place = { ...place, seen: [...seen, pair] };
  const [old, present] = [formsOf(was), formsOf(is)];
  if (old.length > 1 || present.length > 1) {
    const isFormOf = (each: unknown, next: unknown) => narrowed(each, next, within).length === 0;
    // What a caller may send goes on being taken, and what we answer is one of what it was.
    const isLost =
      writer === "caller"
        ? old.some((each) => !present.some((next) => isFormOf(each, next)))
        : present.some((next) => !old.some((each) => isFormOf(each, next)));
    return isLost ? [`${where} has other forms`] : [];
  }
  return [
    ...typesOf(was, is, place),
    ...wordsOf(was, is, place),
    ...(writer === "caller" ? rangesOf(was, is, where) : []),
    ...membersOf(was, is, within),
    ...(was.items === undefined ? [] : narrowed(was.items, is.items, { ...within, where: `${where}[]` })),
  ];
};

/** What a schema is told by: one that is referred to by its place. */
const nameOf = (schema: unknown): unknown => (isJson(schema) ? (schema.$ref ?? schema) : schema);

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Through references, which lead into the document's own components, and with all parts of what is made of several. */
const resolved = (schema: unknown, document: ApiDocument): Json | null => {
  if (!isJson(schema)) return null;
  // Its second form is any text at all: what it was and is, its words tell.
  if (isOpen(schema)) return { type: "string", enum: schema[openMark], [openMark]: schema[openMark] };
  const { $ref: reference, allOf, ...own } = schema;
  if (typeof reference === "string") {
    const names = reference.replace(/^#\//, "").split("/");
    const target = names.reduce<unknown>((at, name) => (isJson(at) ? at[name] : undefined), document);
    return resolved(target, document);
  }
  if (!Array.isArray(allOf)) return schema;
  return [...allOf, own].map((part) => resolved(part, document) ?? {}).reduce(joined);
};

/** What holds of both; of a member that both describe, what the second says goes before. */
const joined = (one: Json, other: Json): Json => ({
  ...one,
  ...other,
  properties: { ...(one.properties ?? {}), ...(other.properties ?? {}) },
  required: [...listOf(one.required ?? []), ...listOf(other.required ?? [])],
});

/** Of what is one of several, those; each of several types is one as well. */
const formsOf = (schema: Json): readonly unknown[] => {
  const { anyOf, oneOf, type } = schema;
  if (Array.isArray(type)) return type.map((each) => ({ ...schema, type: each }));
  const forms = anyOf ?? oneOf;
  return Array.isArray(forms) ? forms : [schema];
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const typesOf = (was: Json, is: Json, { where, writer }: Place): string[] => {
  if (was.type === undefined || was.type === is.type) return [];
  const isTaken =
    writer === "caller" && (is.type === undefined || (was.type === "integer" && is.type === "number"));
  return isTaken ? [] : [`${where} was ${was.type} and is ${is.type}`];
};

/** A list that may gain words, or one for which nobody has to be prepared for any other. */
const isOpen = (schema: Json): boolean => schema[openMark] !== undefined;

const wordsOf = (was: Json, is: Json, { where, writer }: Place): string[] => {
  const [old, present] = [was, is].map((schema) => schema.enum ?? (schema.const && [schema.const]));
  const isClosedAnswer = writer === "us" && old !== undefined && !isOpen(was);
  if (isClosedAnswer && (present === undefined || isOpen(is))) return [`${where} is no closed list any more`];
  if (present === undefined) return [];
  if (old === undefined) return [`${where} has a list of words`];
  const gone = listOf(old).filter((word) => !listOf(present).includes(word));
  const fresh = listOf(present).filter((word) => !listOf(old).includes(word));
  return [
    ...(gone.length > 0 ? [`${where} has lost ${gone}`] : []),
    ...(isClosedAnswer && fresh.length > 0 ? [`${where} may be ${fresh}, and was a closed list`] : []),
    ...(writer === "us" && isOpen(was) && !isOpen(is) ? [`${where} is a closed list now`] : []),
  ];
};

const rangesOf = (was: Json, is: Json, where: string): string[] => {
  const most = ["maximum", "maxLength", "maxItems"].filter(
    (name) => Number(is[name]) < Number(was[name] ?? Infinity),
  );
  const least = ["minimum", "minLength", "minItems"].filter(
    (name) => Number(is[name]) > Number(was[name] ?? -Infinity),
  );
  return [...most, ...least].map((name) => `${where}: ${name} is ${is[name]} and was ${was[name] ?? "none"}`);
};

const membersOf = (was: Json, is: Json, place: Place): string[] => {
  if (!isJson(was.properties)) return [];
  const { where, writer } = place;
  const present = isJson(is.properties) ? is.properties : {};
  const [wanted, given] = [was, is].map(({ required }) => (required === undefined ? [] : listOf(required)));
  const [less, more] = writer === "us" ? [wanted, given] : [given, wanted];
  return [
    ...Object.entries(was.properties).flatMap(([name, schema]) =>
      name in present
        ? narrowed(schema, present[name], { ...place, where: `${where}.${name}` })
        : [`${where}.${name} is gone`],
    ),
    ...(less ?? [])
      .filter((name) => !more?.includes(name) && (writer === "caller" || String(name) in present))
      .map((name) => `${where}.${name} ${writer === "us" ? "may be left out" : "must be given"}`),
  ];
};
