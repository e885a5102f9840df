import { type Endpoint, endpoints } from "@offers/contract/endpoints";
import { openMark } from "@offers/contract/open-word";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { createOpenapiDocument, type DocumentGroup } from "../routes/openapi-document.ts";
import type { Answer } from "./call.ts";

type Response = { content?: Record<string, { schema: object }>; headers?: Record<string, object> };
type Operation = { operationId: string; responses: Record<string, Response> };
type Paths = Record<string, Record<string, Operation>>;

/** Tells what is wrong with an answer by the document; null when it is as documented. */
export type Conformance = {
  problemOf(method: string, target: string, answer: Answer, hasKey: boolean): string | null;
  /** How many answers were asked about, by operation and status. */
  seen: ReadonlyMap<string, number>;
};

/**
 * Checks answers with a validator that knows the OpenAPI document and nothing of the schemas behind it. What a caller
 * with a key is answered must be as the document for servers has it, too.
 */
export function createConformance(baseUrl: string): Conformance {
  const [all, forServers] = [conformanceTo(baseUrl, "all"), conformanceTo(baseUrl, "server")];
  return {
    problemOf: (method, target, answer, hasKey) => {
      // CSV on the path of the JSON report is asked for by a parameter that the second document does not have.
      const isInBoth = hasKey && !String(answer.headers["content-type"]).startsWith("text/csv");
      const wrong = all.problemOf(method, target, answer, hasKey);
      return wrong ?? (isInBoth ? forServers.problemOf(method, target, answer, hasKey) : null);
    },
    seen: all.seen,
  };
}

const rows: readonly Endpoint[] = endpoints;
const headPaths: ReadonlySet<string> = new Set(rows.filter(({ hasHead }) => hasHead).map(({ path }) => path));

const conformanceTo = (baseUrl: string, group: DocumentGroup): Conformance => {
  const document = JSON.parse(JSON.stringify(createOpenapiDocument(baseUrl, group)), ofToday);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: true });
  ajv.addSchema({ $id: "document", ...document });
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: readonly string[]): ValidateFunction => {
    const ref = `document#/${pointer.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
    const known = validators.get(ref) ?? ajv.compile({ $ref: ref });
    validators.set(ref, known);
    return known;
  };
  const seen = new Map<string, number>();

  const problemOf: Conformance["problemOf"] = (method, target, answer) => {
    // No operation of the document; and what Node's own parser answers never reaches a route.
    if (method === "OPTIONS" || answer.status === 431) return null;
    // The dashboard's interface is its pages' alone, and no part of the document.
    if (target.startsWith("/dash")) return null;
    const path = pathOf(Object.keys(document.paths), new URL(target, baseUrl).pathname);
    const isHead = method === "HEAD";
    if (isHead && answer.text !== "") return `HEAD ${path} must have no body`;
    if (isHead && !headPaths.has(path)) {
      const isKnown = path in document.paths && answer.status < 400;
      return isKnown ? `HEAD ${path} is not documented` : null;
    }
    // It is documented as GET is, of which it has all but the body.
    const documented = isHead ? "get" : method.toLowerCase();
    const operation = (document.paths as Paths)[path]?.[documented];
    const type = String(answer.headers["content-type"] ?? "").replace(/;.*/, "");
    if (operation === undefined) {
      if (isHead || !type.endsWith("json")) return null;
      return told(validatorAt(["components", "schemas", "Problem"]), answer);
    }
    const name = `${isHead ? "HEAD " : ""}${operation.operationId} ${answer.status}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    const response = operation.responses[answer.status];
    if (response === undefined) return `${name} is not documented: ${answer.text}`;
    const misplaced = limitProblem(response, answer);
    if (misplaced !== null) return `${name}: ${misplaced}`;
    // A person who follows a link is answered by a page, errors too.
    if (path === "/v1/r" && type === "text/html") return null;
    if (response.content === undefined) return answer.text === "" ? null : `${name} must have no body`;
    if (response.content[type] === undefined) return `${name} is not documented as ${type}`;
    if (isHead || !type.endsWith("json")) return null;
    const at = ["paths", path, documented, "responses", String(answer.status), "content", type, "schema"];
    const wrong = told(validatorAt(at), answer);
    return wrong === null ? null : `${name}: ${wrong}`;
  };
  return { problemOf, seen };
};

/** Lists that may gain words have no others than theirs as long as this is the document. */
const ofToday = (_name: string, part: unknown): unknown => {
  if (typeof part !== "object" || part === null || !(openMark in part)) return part;
  const { anyOf: _, ...told } = { anyOf: undefined, ...part };
  return { ...told, type: "string", enum: part[openMark] };
};

/** Where a caller stands is told by no answer that is not documented to, and by each good one that is. */
const limitProblem = ({ headers = {} }: Response, answer: Answer): string | null => {
  const isAlways = answer.status < 400 || answer.status === 429;
  const wrong = ["RateLimit", "RateLimit-Policy"].find((header) => {
    const isTold = answer.headers[header.toLowerCase()] !== undefined;
    return header in headers ? isAlways && !isTold : isTold;
  });
  if (wrong === undefined) return null;
  return wrong in headers ? `${wrong} is missing` : `${wrong} is not documented`;
};

const told = (validate: ValidateFunction, answer: Answer): string | null =>
  validate(answer.json()) ? null : `${JSON.stringify(validate.errors)} in ${answer.text}`;

/** The document's own path of a request's: `/session/{sessionId}` for `/session/dcl_1`; else the request's. */
const pathOf = (known: readonly string[], path: string): string =>
  known.find((template) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path)) ?? path;
