import type { Role } from "../words.ts";

/**
 * Who may call: `anyone` who is signed in; a member of the publisher in the path, in this role or one that may more;
 * an operator of the service. An operator may read what a `viewer` may of every publisher.
 */
export type Who = "anyone" | Role | "operator";

export type DashEndpoint = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:publisher` is a publisher's id; the other names are up to the handler. */
  path: `/dash/api/${string}`;
  who: Who;
  /** The password must have been given within the last quarter of an hour. */
  needsRecentSignIn?: true;
};
