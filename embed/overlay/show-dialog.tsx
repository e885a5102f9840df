import { render } from "preact";
import { hostAttribute } from "./host-attribute.ts";
import css from "./overlay.css?inline";
import { Panel, type PanelProps } from "./panel.tsx";
import { wrapTab } from "./wrap-tab.ts";

export type DialogProps = Omit<PanelProps, "onClose"> & {
  language: string;
  direction: "ltr" | "rtl";
  /** After everything has been taken out of the page again. */
  onClosed(): void;
};

/**
 * Puts the dialog over the page and returns its offers' elements, in their order. Everything hangs on one
 * element, which has nothing that a page's style or a blocker's hiding rule could mean.
 */
export function showDialog(props: DialogProps): Element[] {
  const { decision, language, direction, onClosed } = props;
  const { dismissible } = decision;
  const host = document.createElement("div");
  host.setAttribute(hostAttribute, "");
  // Open: a closed root protects from nobody and locks out assistive and testing tools.
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];

  let pressed: EventTarget | null = null;
  const close = () => dialog.close();
  const remove = () => {
    render(null, root);
    host.remove();
  };
  render(
    <dialog
      aria-labelledby="title"
      aria-describedby="message"
      lang={language}
      dir={direction}
      data-theme={decision.theme}
      closedBy={dismissible ? undefined : "none"}
      onClose={() => {
        // Some browsers close at the second Escape, whatever they were told at the first.
        if (!dismissible) return dialog.showModal();
        remove();
        onClosed();
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
      <Panel {...props} onClose={close} />
    </dialog>,
    root,
  );
  const dialog = root.querySelector("dialog") as HTMLDialogElement;
  document.body.append(host);
  try {
    dialog.showModal();
  } catch (error) {
    remove();
    throw error;
  }
  root.querySelector("h2")?.focus();
  return Array.from(root.querySelectorAll("article"));
}
