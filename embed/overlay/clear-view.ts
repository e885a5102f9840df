import { hostAttribute } from "./host-attribute.ts";

/** How often to look again while something is in the way, in milliseconds. */
export const pause = 250;

/** Resolves to true once something may open, to false when the visit has been closed. */
export async function untilViewClear(closing: AbortSignal, mayOpen = isViewClear): Promise<boolean> {
  while (!closing.aborted && !mayOpen()) await new Promise((resolve) => setTimeout(resolve, pause));
  return !closing.aborted;
}

/** Whether an element is a dialog in the browser's own layer over the page, or an open one where that cannot be told. */
export function isModal(element: Element): boolean {
  return element.matches(modal());
}

const modal = () => (CSS.supports("selector(:modal)") ? ":modal" : "dialog[open]");

/**
 * Whether the page has a body and nobody else has the visitor's attention: no native modal (one Escape
 * would close both), no overlay of another website, no dialog that calls itself modal, such as a consent
 * banner.
 */
export function isViewClear(ours?: string): boolean {
  return (
    hasRoomForOurs(ours) &&
    !roots().some(
      (root) =>
        root.querySelector(modal()) ||
        Array.from(root.querySelectorAll("[aria-modal=true]")).some((one) => isInView(one)),
    )
  );
}

/**
 * The document, and the open roots in which dialogs of components stand: those of the body's children, those that the focus
 * is in, and those that lie in the middle of the window. All of a page cannot be searched for roots as often as is looked here.
 */
function roots(): ParentNode[] {
  const hosts = Array.from(document.body.children);
  for (let at = document.activeElement; at; at = at.shadowRoot?.activeElement ?? null) hosts.push(at);
  const inMiddle = (root: DocumentOrShadowRoot | null) =>
    root?.elementFromPoint(innerWidth / 2, innerHeight / 2) ?? null;
  // A root in which nothing lies there may answer with its own host.
  const descent: Element[] = [];
  for (let at = inMiddle(document); at && !descent.includes(at); at = inMiddle(at.shadowRoot))
    descent.push(at);
  hosts.push(...descent);
  return [document, ...hosts.flatMap(({ shadowRoot }) => shadowRoot ?? [])];
}

/**
 * Whether the page has a body, and nothing of ours in it that is in the way: a dialog, and to a bar (`ours`) another bar as
 * well. Routers keep copies of a page, in which an overlay is an element without its root: that is none.
 */
export function hasRoomForOurs(ours = "dialog"): boolean {
  const hosts = Array.from(document.querySelectorAll(`[${hostAttribute}]`));
  return !!document.body && !hosts.some(({ shadowRoot }) => shadowRoot?.querySelector(ours));
}

/**
 * Menus and drawers often stay in the page while they are closed: hidden, shrunk to nothing, or pushed out of the window,
 * perhaps under its scroll bar. A dialog without a size of its own may hold what has one, unless it cuts it off (`cut`, the
 * outermost that does): all but what hangs, as the absolute and the fixed do, on an element farther out.
 */
function isInView(element: Element, cut: Element | null = null): boolean {
  if (!isDrawn(element)) return false;
  const { overflow, position } = getComputedStyle(element);
  // Pictures of SVG do not tell what they hang on: that is in the box that cuts, as a rule.
  const { offsetParent = element } = element as HTMLElement;
  const within = /absolute|fixed/.test(position) && !cut?.contains(offsetParent) ? null : cut;
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0 || within) {
    const next = within ?? (overflow === "visible" ? null : element);
    return Array.from(element.children).some((child) => isInView(child, next));
  }
  // What the window has beside its scroll bars is rounded; in quirks mode it is the body that knows it.
  const page = document.scrollingElement;
  const lastX = (page?.clientWidth ?? innerWidth) - 1;
  const lastY = (page?.clientHeight ?? innerHeight) - 1;
  return bottom > 0 && right > 0 && top < lastY && left < lastX;
}

/** Whether the element has a box, and nothing that it stands in makes it invisible. */
export function isDrawn(element: Element): boolean {
  return (
    element.getClientRects().length > 0 &&
    element.checkVisibility?.({
      visibilityProperty: true,
      opacityProperty: true,
      // The same by the names that browsers knew first.
      checkVisibilityCSS: true,
      checkOpacity: true,
    }) !== false
  );
}

/**
 * Whether an element of ours is what lies on top in the middle of what the window shows of it, and is drawn: no dialog,
 * banner or menu lies over it. What a press passes through is in nobody's way.
 */
export function isOnTop(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const middle = (from: number, to: number, end: number) =>
    (Math.max(from, 0) + Math.max(from, Math.min(to, end))) / 2;
  const host = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  if (!host || host.shadowRoot !== element.getRootNode()) return false;
  // A panel of ours that is still fading in is drawn already: the outermost element is none of those.
  let outermost = element;
  while (outermost.parentElement) outermost = outermost.parentElement;
  // What the page is drawn with holds for no modal: it lies over the page, and not in it.
  return isModal(outermost) || isDrawn(outermost);
}
