import type { ServerEventAnswer } from "@offers/contract/server-events";
import { createApiKey, type IssuedApiKey } from "../store/catalogue/api-keys.ts";
import type { Answer, Call } from "./call.ts";
import type { TestService } from "./test-service.ts";

/** A service as a publisher's server sees it: no origin, and its key in every call. */
export type KeyCalls = {
  key: IssuedApiKey;
  get: (path: string, given?: Call) => Promise<Answer>;
  /** Reports an event, as JSON. */
  report: (body: unknown, given?: Call) => Promise<Answer>;
  /** Reports an event and expects an answer. */
  accept: (body: object, given?: Call) => Promise<ServerEventAnswer>;
};

type KeyInput = Omit<Parameters<typeof createApiKey>[1], "publisherId"> & { publisherId?: string };

/** Issues a key, to publisher A unless told otherwise, that the service knows at once. */
export async function withKey(service: TestService, input: KeyInput = {}): Promise<KeyCalls> {
  const issued: IssuedApiKey[] = [];
  await service.change(async (catalogue) => {
    const now = service.context.clock();
    issued.push(await createApiKey(catalogue, { publisherId: "publisher_a", ...input }, now));
  });
  const [key] = issued;
  if (key === undefined) throw new Error("no key was issued");
  const get: KeyCalls["get"] = (path, given = {}) =>
    service.call(path, {
      origin: null,
      ...given,
      headers: { Authorization: `Bearer ${key.key}`, ...given.headers },
    });
  const report: KeyCalls["report"] = (body, given = {}) =>
    get("/v1/events", {
      method: "POST",
      body,
      ...given,
      headers: { "Content-Type": "application/json", ...given.headers },
    });
  const accept: KeyCalls["accept"] = async (body, given) => {
    const answer = await report(body, given);
    if (answer.status !== 201) throw new Error(`no event: ${answer.status} ${answer.text}`);
    return answer.json<ServerEventAnswer>();
  };
  return { key, get, report, accept };
}
