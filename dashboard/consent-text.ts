import type { TagForm } from "./tag-text.ts";

/** One call of a page, with the place where it belongs: pasted together, the second would take back what the first said. */
type ConsentCall = { label: string; says: string; code: string };

/** What a page says of its visitor's choice where its tag waits for that (`data-consent="manual"`). */
export function consentCalls(form: TagForm, mode: "overlay" | "section" | "none"): ConsentCall[] {
  const file = mode === "section" ? "offers-section" : "offers";
  const before =
    form === "next"
      ? `import { offerService } from "./${file}";`
      : "window.offerService=window.offerService||function(){return(offerService.q=offerService.q||[]).push(arguments)};";
  const call = (isAgreed: boolean) => `${before}\n\nofferService("consent", ${isAgreed});`;
  return [
    {
      label: "When visitors agree",
      says: "When visitors agree: where your script hears it from the banner, and on each page of one who has agreed before. The tag asks nothing until then, and the service keeps no choice.",
      code: call(true),
    },
    {
      label: "When they take it back",
      says: "When they take it back: where your script hears that, and nowhere else. It closes what is shown.",
      code: call(false),
    },
  ];
}
