import { type ComponentChild, createElement, Fragment, render } from "preact";
import baseCss from "./base.css?inline";
import { isModal } from "./clear-view.ts";
import dialogCss from "./dialog.css?inline";
import { hostAttribute } from "./host-attribute.ts";
import { keepKeys } from "./keep-keys.ts";

/** Why a dialog went: its visitor closed it, or the page did, or its time was over. */
export type Ending = "visitor" | "page" | "expired";

type DialogProps = {
  language: string;
  direction: "ltr" | "rtl";
  theme: string;
  /** A style sheet of the website's, `""` for none. */
  look: string;
  dismissible: boolean;
  /** Takes the dialog away, also one that its visitor could not dismiss. */
  closing: AbortSignal;
  /** After everything has been taken out of the page again. */
  onClosed(ending: Ending): void;
  /** What screen readers announce of the first content, in a dialog whose content changes; absent in one that stays. */
  status?: string;
};

/** Stands on the dialog while its links and buttons act. */
const restAttribute = "data-rest";

/**
 * How long a dialog has to be at rest before they do, in milliseconds: who was about to press something in the page
 * when it opened, or when its content changed, has pressed by then.
 */
export const restMs = 500;

/** How long a live region stands empty before it is filled, in milliseconds. */
const fillAfter = 200;

/** Makes the content of the dialog; `close` closes it as its visitor would. */
export type Content = (close: () => void) => ComponentChild;

export type Dialog = {
  /** Draws other content in place of the first, and has screen readers announce its status. */
  draw(content: Content, status: string): void;
  /** The elements of its offers, in their order. */
  elements(): Element[];
  end(ending: Ending): void;
};

/** Where the page is not to be seen it does not move behind the dialog; where its scroll bar was there stays room for it. */
function stillPage(): string {
  const gutter = innerWidth > document.documentElement.clientWidth ? "scrollbar-gutter:stable!important" : "";
  return `html{overflow:hidden!important;${gutter}}`;
}

/** Style sheets that a page's policy cannot forbid: no element and no attribute holds them. */
export function sheets(...texts: readonly string[]): CSSStyleSheet[] {
  return texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
}

/** Gives the page these style sheets, until what is returned is called. */
export function adopt(own: readonly CSSStyleSheet[]): () => void {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...own];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !own.includes(sheet));
  };
}

/**
 * An element with a root of its own, styled as what is ours is, and by the texts that are given besides. It has no class
 * and no id, so that no rule of the page's style or of a blocker matches it.
 */
export function hostElement(...texts: readonly string[]): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement("div");
  host.setAttribute(hostAttribute, "");
  // Open: a closed root protects from nobody and locks out assistive and testing tools.
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = sheets(baseCss, dialogCss, ...texts);
  return { host, root };
}

/**
 * Calls back once an element of ours has left the page, also along with a body that a router replaces: of that the browser
 * tells nothing. `stays` is called whenever the page has changed otherwise.
 */
export function onLeft(host: Element, left: () => void, stays?: () => void): void {
  const leaving = new MutationObserver(() => {
    if (host.isConnected) return stays?.();
    leaving.disconnect();
    left();
  });
  leaving.observe(document, { childList: true, subtree: true });
}

/** Puts a dialog over the page; all of it hangs on one element. */
export function showDialog(props: DialogProps, first: Content): Dialog {
  const { language, direction, theme, look, dismissible, closing, onClosed, status } = props;
  const { host, root } = hostElement(look);
  let pressed: EventTarget | null = null;
  let unrest: ReturnType<typeof setTimeout> | undefined;
  // So often one after the other: of several timers a page that stands still makes only the first one late.
  const restAfter = (times: number) => {
    clearTimeout(unrest);
    unrest = setTimeout(
      () => (times > 1 ? restAfter(times - 1) : dialog.setAttribute(restAttribute, "")),
      restMs,
    );
  };
  const rest = async () => {
    dialog.removeAttribute(restAttribute);
    // Also where the page stops all that moves: what can never be pressed nobody gets rid of.
    restAfter(3);
    for (const { finished } of root.querySelector(".panel")?.getAnimations() ?? []) await finished;
    restAfter(1);
  };
  /** By the keyboard one gets to what no pointer reaches yet. */
  const waitForRest = (event: Event) => {
    if (dialog.hasAttribute(restAttribute)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  let ending: Ending = "visitor";
  const end = (why: Ending) => {
    ending = why;
    dialog.close();
  };
  const close = () => end("visitor");
  const leave = () => end("page");
  const closed = new AbortController();
  const still = dismissible ? [] : sheets(stillPage());
  let release = () => {};
  const remove = () => {
    closed.abort();
    release();
    clearTimeout(unrest);
    closing.removeEventListener("abort", leave);
    render(null, root);
    host.remove();
  };
  let drawn = 0;
  let content = first;
  let said = "";
  const draw = () => {
    render(
      // biome-ignore lint/a11y/useKeyWithClickEvents: the click beside the panel stands for Escape, which keep-keys.ts hears.
      <dialog
        aria-labelledby="title"
        aria-describedby="message"
        lang={language}
        dir={direction}
        data-theme={theme}
        closedBy={dismissible ? undefined : "none"}
        onClose={() => {
          // Some browsers close at the second Escape, whatever they were told at the first.
          if (!dismissible && ending === "visitor") return dialog.showModal();
          remove();
          onClosed(ending);
        }}
        onCancel={(event) => dismissible || event.preventDefault()}
        onClickCapture={waitForRest}
        onAuxClickCapture={waitForRest}
        onPointerDown={({ target }) => {
          pressed = target;
        }}
        onClick={({ target }) => {
          // The press counts as well as the release: a selection that begins in the text may end beside the panel.
          if (dismissible && target === dialog && pressed === dialog) close();
        }}
      >
        {/* Screen readers announce changes alone: this element stays while the rest is replaced, and begins empty. */}
        {status && (
          <p role="status" class="unseen">
            {said}
          </p>
        )}
        {/* New elements for new content: old ones would move, and the browser would count a layout shift. */}
        {createElement(Fragment, { key: drawn }, content(close))}
      </dialog>,
      root,
    );
  };
  draw();
  const dialog = root.querySelector("dialog") as HTMLDialogElement;
  document.body.append(host);
  try {
    dialog.showModal();
  } catch (error) {
    remove();
    throw error;
  }
  release = adopt(still);
  closing.addEventListener("abort", leave);
  onLeft(host, leave, () => {
    if (!dialog.open || isModal(dialog)) return;
    // The page has moved it to another place in itself, by which it lies over the page no more.
    dialog.open = false;
    dialog.showModal();
    begin();
  });
  keepKeys({ host, dialog, dismissible, closed: closed.signal, close });
  /** Where its visitor begins, with the first content and with each later one. */
  const begin = () => {
    root.querySelector("h2")?.focus();
    rest().catch(() => {});
  };
  begin();
  const say = (text: string) => {
    said = text;
    draw();
  };
  // Screen readers do not announce a live region that comes with its text.
  if (status) setTimeout(() => drawn || !host.isConnected || say(status), fillAfter);
  return {
    end,
    draw(next, text) {
      drawn += 1;
      content = next;
      say(text);
      begin();
    },
    elements: () => Array.from(root.querySelectorAll("article")),
  };
}
