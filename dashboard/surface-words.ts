import type { Surface } from "@offers/contract/words";

/** What the parts of a page that hold offers are called. */
export const surfaceWords: Readonly<Record<Surface, string>> = {
  overlay: "Overlay",
  section: "Section of the page",
  decline: "After a decline",
};
