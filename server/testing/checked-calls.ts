import { Agent } from "node:http";
import { type Answer, type Call, call } from "./call.ts";
import { createConformance } from "./conformance.ts";
import { createCallNotes } from "./noted-calls.ts";

/** Calls of one service, and what is demanded of every one of them, whatever its test is about. */
export type CheckedCalls = {
  /** Makes a request. Rejects where the OpenAPI document does not describe the answer. */
  call: (path: string, given?: Call) => Promise<Answer>;
  /** What callers and answers held so far, and no line of a log may. */
  used: ReadonlySet<string>;
  /** Ends the connections, and leaves a note of which endpoints were called. */
  close: () => void;
};

/** Calls the service at `url`, whose document is of `baseUrl`. */
export function createCheckedCalls({ url, baseUrl }: { url: string; baseUrl: string }): CheckedCalls {
  const agent = new Agent({ keepAlive: true });
  const conformance = createConformance(baseUrl);
  const notes = createCallNotes();
  const used = new Set<string>();
  return {
    call: async (path, given) => {
      const answer = await call(`${url}${path}`, given, agent);
      for (const name of ["Authorization", "Cookie", "User-Agent"])
        used.add(String(given?.headers?.[name] ?? ""));
      for (const cookie of answer.headers["set-cookie"] ?? []) used.add(cookie.split(";")[0] ?? "");
      const hasKey = /^Bearer sk_/.test(String(given?.headers?.Authorization));
      const method = given?.method ?? "GET";
      notes.note(
        { method, target: path, hasCredential: Boolean(given?.headers?.Authorization) },
        answer.status,
      );
      const problem = conformance.problemOf(method, path, answer, hasKey);
      if (problem !== null)
        throw new Error(`an answer that the OpenAPI document does not describe: ${problem}`);
      return answer;
    },
    used,
    close: () => {
      notes.keep();
      agent.destroy();
    },
  };
}
