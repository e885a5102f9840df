import { type Endpoint, endpoints } from "@offers/contract/endpoints";
import { oauthPaths } from "@offers/contract/oauth";
import { openMark, openWords } from "@offers/contract/open-word";
import { type ErrorCode, errorCodes } from "@offers/contract/problem";
import type { Scope } from "@offers/contract/words";
import {
  createDocument,
  type oas31,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
} from "zod-openapi";
import {
  type Examples,
  goodAnswer,
  headers,
  jsonExamples,
  namedSchemas,
  otherProblem,
  problemAnswer,
} from "./openapi-answers.ts";
import recorded from "./openapi-examples.json" with { type: "json" };
import { type Operation, operations, tags } from "./openapi-operations.ts";
import { explained, type HeaderParameter, headerParameter } from "./openapi-parameters.ts";

/** Real answers, by operation, status and name. */
const examples: Readonly<Record<string, Readonly<Record<string, Examples>>>> = recorded;

export type OpenapiDocument = ReturnType<typeof createDocument>;

/** The whole interface, or what a publisher's own servers call. */
export type DocumentGroup = "all" | "server";

/** The OpenAPI 3.1 document of the service, made of the schemas that check its requests. */
export function createOpenapiDocument(baseUrl: string, group: DocumentGroup = "all"): OpenapiDocument {
  const isForServers = group === "server";
  const rows: readonly Endpoint[] = endpoints.filter(
    (endpoint) => !isForServers || endpoint.group === "server" || endpoint.group === "backend",
  );
  const described = Object.entries<Operation>(operations).flatMap(([path, operation]) => {
    const here = rows.filter((row) => row.path === path);
    const told = isForServers ? { ...operation, ...operation.forServers } : operation;
    return here.length === 0 ? [] : [{ path, operation: told, rows: here }];
  });
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Affiliate Offer Service",
        version: "1",
        description: isForServers ? aboutServers : about,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: baseUrl }],
      tags: Object.entries(tags)
        .filter(([name]) => described.some(({ operation }) => operation.tag === name))
        .map(([name, description]) => ({ name, description })),
      paths: Object.fromEntries(
        described.map(({ path, operation, rows }) => [
          documentPath(path),
          pathItemOf(operation, rows, isForServers),
        ]),
      ),
      components: {
        schemas: namedSchemas,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, description]) => [
            name,
            { description, schema: { type: "string" as const } },
          ]),
        ),
        securitySchemes: securitySchemesAt(baseUrl),
      },
    },
    {
      outputIdSuffix: "",
      // An answer may gain a member within /v1, so no client may be told that it will not.
      override: ({ jsonSchema, io }) => {
        if (io === "output") delete jsonSchema.additionalProperties;
        if (openMark in jsonSchema && jsonSchema.enum !== undefined) {
          Object.assign(jsonSchema, openWords(jsonSchema.enum.map(String)));
          delete jsonSchema.enum;
          delete jsonSchema.type;
        }
        if (isWide(jsonSchema)) jsonSchema.format = "int64";
        // The name of a format says it; its pattern would only hide that from whoever generates a client.
        if (jsonSchema.format === undefined) return;
        delete jsonSchema.pattern;
        delete jsonSchema.allOf;
      },
    },
  );
  return withoutUnused(withWords(document, isForServers));
}

/** A whole number that may have more than 32 bits, in which typed clients keep one of which nothing is said. */
const isWide = ({ type, maximum }: { type?: unknown; maximum?: unknown }): boolean =>
  (type === "integer" || (Array.isArray(type) && type.includes("integer"))) &&
  !(typeof maximum === "number" && maximum < 2 ** 31);

/** `/session/:sessionId` as OpenAPI writes it. */
const documentPath = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

/** Rows that share a path share its method, its body and its answers. */
const pathItemOf = (
  operation: Operation,
  rows: readonly Endpoint[],
  isForServers: boolean,
): Record<string, ZodOpenApiOperationObject> =>
  Object.fromEntries(
    rows.map(({ method }) => [method.toLowerCase(), operationOf(operation, rows, isForServers)]),
  );

const operationOf = (
  operation: Operation,
  rows: readonly Endpoint[],
  isForServers: boolean,
): ZodOpenApiOperationObject => {
  const { id, tag, summary, description, query, path, body, problems = [] } = operation;
  const bodyTypes = rows.flatMap((row) => row.bodyTypes ?? []);
  const isLimited = rows.some(isCountedAloud);
  const headerNames = headersOf(operation, rows);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(rows),
    ...((query || path) && { requestParams: { ...(query && { query }), ...(path && { path }) } }),
    ...(headerNames.length > 0 && { parameters: headerNames.map((name) => headerParameter(name, id)) }),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          bodyTypes.map((type) => [
            type,
            { schema: body, ...jsonExamples(type, examplesOf(id, "request", isForServers)) },
          ]),
        ),
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, name]) => [
          status,
          goodAnswer(name, examplesOf(id, status, isForServers), isLimited),
        ]),
      ),
      ...Object.fromEntries(
        codesByStatus([...rows.flatMap(problemsOf), ...problems]).map(([status, codes]) => [
          status,
          problemAnswer(
            codes,
            examplesOf(id, String(status), isForServers),
            rows.some((row) => isCountedAloud(row) && !uncounted[row.group].includes(status)),
            operation.countsOnceBy,
          ),
        ]),
      ),
      default: otherProblem,
    },
  };
};

const isCountedAloud = ({ limit, isLimitSilent }: Endpoint): boolean => limit !== null && !isLimitSilent;

/** With what a call is refused only before it is counted: for nobody, until it is known for whom. */
const uncounted: Readonly<Record<Endpoint["group"], readonly number[]>> = {
  // Whose page it is stands in its query or body.
  embed: [400, 401, 403, 413, 415],
  open: [400, 401, 403],
  // The secret may stand in the body.
  backend: [401, 403, 413, 415],
  server: [401],
};

/** A page's browser names the page; what a page names beside it are parameters, since none of that is a secret. */
const headersOf = ({ headers = [] }: Operation, rows: readonly Endpoint[]): readonly HeaderParameter[] =>
  rows.some(({ group }) => group === "embed") ? [...headers, "Origin"] : headers;

type Security = NonNullable<ZodOpenApiObject["security"]>[number];

/** The credentials of the rows' callers, of servers first. */
const securityOf = (rows: readonly Endpoint[]): Security[] => {
  const found = rows.toReversed().flatMap(({ group, scope }): Security[] => {
    switch (group) {
      case "server":
        return (["apiKey", "oauth"] as const).map((scheme) => ({
          [scheme]: scope === undefined ? [] : [scope],
        }));
      case "backend":
        // The secret may stand elsewhere instead.
        return [{ integrationSecret: [] }, {}];
      case "embed":
      case "open":
        return [{}];
      default:
        return group satisfies never;
    }
  });
  return found.every((one) => Object.keys(one).length === 0) ? [] : found;
};

/** What can be wrong with any call of the row, whatever its route does. */
const problemsOf = ({ path, group, limit, isLimitSilent, scope, bodyTypes, load }: Endpoint): ErrorCode[] => {
  const problems: [boolean, ...ErrorCode[]][] = [
    [true, "malformed_request", "internal_error"],
    [load !== null, "unavailable", "overloaded"],
    [path.startsWith("/v1/"), "browser_not_allowed"],
    [group !== "open" || limit !== null, "unauthorized"],
    [group === "embed", "origin_not_allowed"],
    [scope !== undefined, "insufficient_scope"],
    [limit !== null && !isLimitSilent, "rate_limited"],
    [bodyTypes !== undefined, "invalid_body", "body_too_large", "unsupported_media_type"],
  ];
  return problems.flatMap(([isPossible, ...codes]) => (isPossible ? codes : []));
};

/** Where both groups share a path, an example's name begins with whose it is. */
const examplesOf = (id: string, status: string, isForServers: boolean): Examples =>
  Object.fromEntries(
    Object.entries(examples[id]?.[status] ?? {}).filter(
      ([name]) => !isForServers || !name.startsWith("a page's"),
    ),
  );

const codesByStatus = (codes: readonly ErrorCode[]): [number, [ErrorCode, ...ErrorCode[]]][] =>
  [...Map.groupBy(new Set(codes), (code) => errorCodes[code].status)].flatMap(
    ([status, [first, ...rest]]): [number, [ErrorCode, ...ErrorCode[]]][] =>
      first === undefined ? [] : [[status, [first, ...rest]]],
  );

/** Names of the query get their meaning here, so that the schemas need not repeat it. */
const withWords = (document: OpenapiDocument, isForServers: boolean): OpenapiDocument => {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of [path.get, path.post]) {
      if (operation?.parameters === undefined) continue;
      const { operationId = "" } = operation;
      operation.parameters = operation.parameters.map((parameter) =>
        "in" in parameter && parameter.in !== "header"
          ? explained(parameter, operationId, isForServers)
          : parameter,
      );
    }
  }
  return document;
};

/** Without the components that this document's paths do not come to, by however many steps. */
const withoutUnused = (document: OpenapiDocument): OpenapiDocument => {
  const { schemas = {}, headers: own = {}, securitySchemes: schemes = {} } = document.components ?? {};
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/\w+\/([\w-]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      if (schemas[name] !== undefined) follow(schemas[name]);
    }
  };
  follow(document.paths);
  const asked = new Set(
    Object.values(document.paths ?? {}).flatMap(({ get, post }) =>
      [get, post].flatMap((one) => (one?.security ?? []).flatMap((each) => Object.keys(each))),
    ),
  );
  const only = <T>(all: Record<string, T>, names: ReadonlySet<string>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
  return {
    ...document,
    components: {
      schemas: only(schemas, used),
      headers: only(own, used),
      securitySchemes: only(schemes, asked),
    },
  };
};

const securitySchemesAt = (baseUrl: string) =>
  ({
    apiKey: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "sk_<id>_<secret><checksum>",
      description:
        "An API key of the publisher, from a server and never from a browser. Scopes: decision:read, offers:read, events:write, reports:read.",
    },
    oauth: {
      type: "oauth2",
      description:
        `An access token that a person of the publisher has allowed a partner, by an authorization code with PKCE (S256). ` +
        `The metadata is at ${baseUrl}${oauthPaths.metadata}; clients are registered by the operator. ` +
        "Beside the members of RFC 6749 an answer with tokens has `publisher_id` and `publisher_name`, of whom the connection is " +
        "for, and `refresh_token_expires_in`, the seconds until it ends.",
      flows: {
        authorizationCode: {
          authorizationUrl: baseUrl + oauthPaths.authorize,
          tokenUrl: baseUrl + oauthPaths.token,
          refreshUrl: baseUrl + oauthPaths.token,
          scopes: scopeMeanings,
        },
      },
    },
    integrationSecret: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "its_…",
      description: "The website's integration secret, from its own server and never from a browser.",
    },
  }) as const satisfies Record<string, oas31.SecuritySchemeObject>;

const scopeMeanings: Record<Scope, string> = {
  "decision:read": "Ask whether a visitor is shown the page or offers",
  "offers:read": "Read the offers that the publisher's websites may show",
  "events:write": "Report served, impression and click events",
  "reports:read": "Read reports, and why a request was answered as it was",
};

const rows: readonly Endpoint[] = endpoints;
const headPaths = rows.flatMap(({ path, hasHead }) => (hasHead ? [`\`${path}\``] : [])).join(", ");

const mayGrow = ({ hidden = "", show = "" } = {}) => `Answers may gain members within /v1,
and the lists of words that are marked \`x-extensible-enum\` may grow: \`code\`, \`reason\`, \`overruled\`, \`mark\`, ${hidden}\`removedBy\`
and \`emptyReason\`. Take a word that you do not know for what stands beside it: a problem's status, \`accepted\`, \`counts\`,
\`allowed\`, ${show}no rank, no offers.`;

const about = `Decides whether a visitor of a publisher's website is served an overlay of offers or passes through, hands out
ranked offers, records what happens to them, and reports it.

Two groups of callers share some paths. **Servers** send \`Authorization: Bearer <API key>\`, partners of a publisher
an access token in its place (OAuth 2.0). **Pages** send their public
key, their website's key and the browser's \`Origin\`. A call with an \`Authorization\` header is never treated as a page's.
The trigger of a decline session alone takes the website's integration secret, and no API key. An unknown parameter of a
server's query is 400, and so is a blank one but for \`userAgent\` and \`lang\`; a page's are not looked at.

Every error is a problem document (RFC 9457) with a \`code\`. Another method than the listed ones is
405 \`method_not_allowed\` with \`Allow\`, but for OPTIONS, which is 204, and HEAD where it is answered as GET is, without a body:
${headPaths}. ${mayGrow({ hidden: "`hidden`, ", show: "`show`, " })} After a response
that is marked \`x-retryable\` send the same call again, \`Retry-After\` seconds later, after one that is marked
\`x-retryable-with\` only where it has what that names: a \`requestId\` or an \`Idempotency-Key\`, with which it counts once.

\`/v1/openapi.json?group=server\` is the part for servers, with one shape for each answer.`;

const aboutServers = `What a publisher's own servers call: is a visitor shown the page or an overlay of offers, which offers are there,
what became of them, and the counters of it all. Each call has \`Authorization: Bearer <API key>\`; the trigger of a
decline session alone takes the website's integration secret instead. A partner sends an access token in place of the key.

An unknown parameter of a query is 400, and so is a blank one but for \`userAgent\` and \`lang\`.

Every error is a problem document (RFC 9457) with a \`code\`. ${mayGrow()}
After a response that is marked \`x-retryable\` send the same call again, \`Retry-After\` seconds later, after one that
is marked \`x-retryable-with\` only where it has what that names: a \`requestId\` or an \`Idempotency-Key\`, with which it counts
once.`;
