import type { ComponentChildren } from "preact";
import { base } from "../address.ts";

/** Leads to the sign-in in another tab, also where somebody is signed in: it may be somebody else by now. */
export function SignInElsewhere({ children }: { children: ComponentChildren }) {
  return (
    <a class="button" href={`${base}/sign-in?anew=1`} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
