import type { TagForm } from "./tag-text.ts";

/** What a page says of its visitor's choice where its tag waits for that (`data-consent="manual"`). */
export function consentText(form: TagForm, mode: "overlay" | "section" | "none"): string {
  const file = mode === "section" ? "offers-section" : "offers";
  const before =
    form === "next"
      ? `import { offerService } from "./${file}";`
      : "window.offerService=window.offerService||function(){return(offerService.q=offerService.q||[]).push(arguments)};";
  return `${before}

// Once the visitor has agreed, and on each page of one who has agreed before:
offerService("consent", true);

// When the visitor takes it back:
offerService("consent", false);`;
}

/** Where these lines belong, as a sentence. */
export const consentPlace =
  "The tag asks nothing before the first call. Paste it where your own script hears the consent banner; the service keeps no choice, so each page says it anew.";
