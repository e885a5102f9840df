/** What keeps an overlay that has been triggered from opening, as far as the page shows it: the first that is found. */
export function obstacle(): string {
  const modal = [{ shadowRoot: document }, ...document.body.children]
    .flatMap(({ shadowRoot: root }) => [...(root?.querySelectorAll(":modal,[aria-modal=true]") ?? [])])
    .find((one) => one.checkVisibility?.() !== false);
  const found = modal ?? document.querySelector(":focus");
  if (!found) return "its reader is busy";
  return `${found.localName}${found.id && `#${found.id}`} ${modal ? "is modal" : "is focused"}`;
}
