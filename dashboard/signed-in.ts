import type { Me, OwnPublisher } from "@offers/contract/dash/accounts";
import type { WebsitesAnswer } from "@offers/contract/dash/tag-health";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Answer } from "./use-answer.ts";
import { websiteNames } from "./website-choices.ts";

export type SignedIn = {
  me: Me;
  /** Asks for `me` once more, as after a change of one's own settings or a new sign-in; the page stays. */
  refreshMe: () => void;
  /** The chosen one; null for somebody who belongs to none. */
  publisher: OwnPublisher | null;
  /** Whether an operator looks at it, who is none of its team. */
  isLookingAs: boolean;
  /** Of the chosen publisher. */
  websites: Answer<WebsitesAnswer>;
};

export const SignedInContext = createContext<SignedIn | null>(null);

/** Who is signed in, what they may see, and what is chosen. */
export function useSignedIn(): SignedIn {
  const signedIn = useContext(SignedInContext);
  if (!signedIn) throw new Error("Nobody is signed in here.");
  return signedIn;
}

/** How the chosen publisher's websites are called, deleted ones too, by their keys. */
export function useWebsiteNames(): ReadonlyMap<string, string> {
  return websiteNames(useSignedIn().websites.value);
}

/** Whether the service has said, to what every page asks again, that nobody is signed in any more. */
export function hasSessionEnded({ websites }: SignedIn): boolean {
  return websites.error?.status === 401;
}

/** The chosen publisher, on a page that is opened for members alone. */
export function usePublisher(): OwnPublisher {
  const { publisher } = useSignedIn();
  if (!publisher) throw new Error("No publisher is chosen here.");
  return publisher;
}

/** Whether the signed-in person has at least this role with the chosen publisher: what they may not do is not drawn. */
export function useMay(role: "viewer" | "editor" | "owner"): boolean {
  const { publisher } = useSignedIn();
  return publisher !== null && ranks[publisher.role] >= ranks[role];
}

export const ranks = { viewer: 1, editor: 2, owner: 3 } as const;

export const roleNames = { viewer: "Viewer", editor: "Editor", owner: "Owner" } as const;
