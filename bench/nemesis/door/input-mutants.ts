import type { Broken } from "../trial.ts";

// Programs that do not stand what is sent to them: by its form, by its length, or by how slowly it comes.

export const throwsForAnOddHeader: Broken = {
  name: "throws for a header that nobody sends",
  edits: [
    {
      file: "server/http/page-route.ts",
      old: "      refuseCredential(call);\n      const other",
      "new":
        '      refuseCredential(call);\n      if (call.headers["sec-gpc"] === "1, 1") throw new TypeError("odd");\n      const other',
    },
  ],
};

export const endsForAnOddCookie: Broken = {
  name: "ends for a cookie that nobody has",
  edits: [
    {
      file: "server/http/cookies.ts",
      old: "  const beginning = ",
      "new":
        '  if (headers.cookie?.includes("; ;;")) setImmediate(() => { throw new Error("odd"); });\n  const beginning = ',
    },
  ],
};

export const endsForALongCookie: Broken = {
  name: "ends for a cookie of very many parts",
  edits: [
    {
      file: "server/http/cookies.ts",
      old: "  const beginning = ",
      "new":
        '  if ((headers.cookie ?? "").split(";").length > 2000) setImmediate(() => { throw new Error("odd"); });\n  const beginning = ',
    },
  ],
};

export const endsForTextThatCannotBe: Broken = {
  name: "lets an id that PostgreSQL has no text for end the desk",
  engines: ["postgres"],
  // One of some thousand requests has such an id in a place where it gets so far.
  profile: "full",
  edits: [
    {
      file: "server/desk/desk-thread.ts",
      old: "error instanceof UnknownSubject || isOfNoText(error)",
      new: "error instanceof UnknownSubject",
    },
  ],
};

export const leaksMemory: Broken = {
  name: "keeps five kilobytes of every call for good",
  edits: [
    {
      file: "server/http/node-call.ts",
      old: 'const own = Symbol("call");',
      new: 'const own = Symbol("call");\nconst kept: Buffer[] = [];',
    },
    {
      file: "server/http/node-call.ts",
      old: "  keepCall(req, call);\n  return call;",
      new: "  keepCall(req, call);\n  kept.push(Buffer.alloc(5000, 1));\n  return call;",
    },
  ],
};

export const leaksInItsWriter: Broken = {
  name: "keeps a hundred kilobytes of every entry in the writer's thread for good",
  engines: ["sqlite"],
  edits: [
    {
      file: "server/store/sqlite/write-batch.ts",
      old: "const usualLockWaitMs = 1000;\n",
      new: "const usualLockWaitMs = 1000;\nconst leaked: Buffer[] = [];\n",
    },
    {
      file: "server/store/sqlite/write-batch.ts",
      old: "        const outcome = recordEntry(entry, recording);\n",
      new: "        leaked.push(Buffer.alloc(100_000, 1));\n        const outcome = recordEntry(entry, recording);\n",
    },
  ],
};

export const answersByPlainJson: Broken = {
  name: "answers wrong queries by plain JSON",
  edits: [
    {
      file: "server/http/problem.ts",
      old: '"application/problem+json; charset=utf-8"',
      "new":
        'problem.code === "repeated_parameter" ? "application/json" : "application/problem+json; charset=utf-8"',
    },
  ],
};

export const logsAddresses: Broken = {
  name: "logs where calls come from",
  edits: [
    {
      file: "server/http/access-log.ts",
      old: 'log({ event: "request", ...loggedCall(call), ...status, milliseconds, ...cut }, call);',
      "new":
        'log({ event: "request", ...loggedCall(call), ...status, milliseconds, ...cut, from: call.headers["x-forwarded-for"] }, call);',
    },
    {
      file: "server/log/clean.ts",
      old: "return (detail) => clean(detail, 0);",
      "new": "return (detail) => clean({ detail }, 0) === null ? null : detail;",
    },
  ],
};

export const announcesHalfOfTheTime: Broken = {
  name: "announces half of the time",
  edits: [
    {
      file: "server/http/rate-limits.ts",
      old: '["Retry-After", String(turn.resetSeconds)]',
      "new": '["Retry-After", String(Math.ceil(turn.resetSeconds / 2))]',
    },
  ],
};

export const waitsForHeads: Broken = {
  name: "waits for a head for half a minute",
  edits: [
    {
      file: "server/http/server-limits.ts",
      old: "  headersTimeout: 5_000,\n",
      "new": "  headersTimeout: 30_000,\n",
    },
    {
      file: "server/http/server-limits.ts",
      old: "  requestTimeout: ",
      "new": "  requestTimeout: 30_000 + ",
    },
  ],
};

export const readsCredentialsSlowly: Broken = {
  name: "reads a credential by an expression that goes back and forth",
  edits: [
    {
      file: "server/core/bearer.ts",
      old: "const bearer = /^bearer +",
      "new": "const bearer = /^bearer +(?: *)",
    },
    {
      file: "server/core/bearer.ts",
      old: "header.length > 4096",
      "new": "header.length > 40_960",
    },
  ],
};
