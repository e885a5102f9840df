import type { OauthRows } from "../oauth/oauth-ports.ts";
import { type Desk, DeskRefusal } from "./desk.ts";

/** What is kept of OAuth, by way of the desk. */
export function oauthRowsOf(desk: Pick<Desk, "ask">): OauthRows {
  return {
    findPartner: (clientId) => desk.ask("findPartner", { clientId }).catch(orNobody),
    findOauthRow: (asked) => desk.ask("findOauthRow", asked),
    saveOauthRow: (row) => desk.ask("saveOauthRow", row),
    consumeOauthRow: (asked) => desk.ask("consumeOauthRow", asked),
    removeOauthRow: (asked) => desk.ask("removeOauthRow", asked),
    answerConsent: (answer, by) =>
      desk.ask(
        "answerConsent",
        answer,
        by === null ? undefined : { kind: "user", userId: by.userId, name: by.name },
      ),
    findConnection: (asked) => desk.ask("findConnection", asked),
    endGrant: (asked) => desk.ask("endGrant", asked),
  };
}

/** An id that can be nobody's is answered as one that nobody has. */
const orNobody = (error: unknown): null => {
  if (error instanceof DeskRefusal && error.refused.kind === "unknown") return null;
  throw error;
};
