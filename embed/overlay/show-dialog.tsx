import { type ComponentChild, createElement, Fragment, render } from "preact";
import baseCss from "./base.css?inline";
import dialogCss from "./dialog.css?inline";
import { hostAttribute } from "./host-attribute.ts";
import { wrapTab } from "./wrap-tab.ts";

/** Why a dialog went: its visitor closed it, or the page did, or its time was over. */
export type Ending = "visitor" | "page" | "expired";

export type DialogProps = {
  language: string;
  direction: "ltr" | "rtl";
  theme: string;
  dismissible: boolean;
  /** Takes the dialog away, also one that its visitor could not dismiss. */
  closing: AbortSignal;
  /** After everything has been taken out of the page again. */
  onClosed(ending: Ending): void;
  /** What is going on, where what is drawn first will change: read out, as everything later is. */
  status?: string;
};

/** How long a live region stands empty before it is filled, in milliseconds. */
const fillAfter = 200;

/** What stands in the dialog; gets the way to close it. */
export type Content = (close: () => void) => ComponentChild;

export type Dialog = {
  /** Draws other content in place of the first, and has it read out. */
  draw(content: Content, status: string): void;
  /** Those of its offers, in their order. */
  elements(): Element[];
  end(ending: Ending): void;
};

/** Style sheets that a page's policy cannot forbid: no element and no attribute holds them. */
export function sheets(...texts: readonly string[]): CSSStyleSheet[] {
  return texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
}

/**
 * Puts a dialog over the page. Everything hangs on one element, which has nothing that a page's style or a
 * blocker's hiding rule could mean.
 */
export function showDialog(props: DialogProps, first: Content): Dialog {
  const { language, direction, theme, dismissible, closing, onClosed, status } = props;
  const host = document.createElement("div");
  host.setAttribute(hostAttribute, "");
  // Open: a closed root protects from nobody and locks out assistive and testing tools.
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = sheets(baseCss, dialogCss);

  let pressed: EventTarget | null = null;
  let ending: Ending = "visitor";
  const close = () => dialog.close();
  const end = (why: Ending) => {
    ending = why;
    close();
  };
  const leave = () => end("page");
  const remove = () => {
    closing.removeEventListener("abort", leave);
    render(null, root);
    host.remove();
  };
  let drawn = 0;
  let content = first;
  let said = "";
  const draw = () => {
    render(
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
        onKeyDown={(event) => dismissible && wrapTab(dialog, event)}
        onPointerDown={({ target }) => {
          pressed = target;
        }}
        onClick={({ target }) => {
          // Both: a selection that began in the text may end outside of it.
          if (dismissible && target === dialog && pressed === dialog) close();
        }}
      >
        {/* It stays while the rest is replaced, and is empty at first: only a change is read out. */}
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
  closing.addEventListener("abort", leave);
  const focusTitle = () => root.querySelector("h2")?.focus();
  focusTitle();
  const say = (text: string) => {
    said = text;
    draw();
  };
  // A region that comes with its text is not read out.
  if (status) setTimeout(() => drawn || !host.isConnected || say(status), fillAfter);
  return {
    end,
    draw(next, text) {
      drawn += 1;
      content = next;
      say(text);
      focusTitle();
    },
    elements: () => Array.from(root.querySelectorAll("article")),
  };
}
