import { Panel } from "../overlay/panel.tsx";
import type { Offer } from "../overlay/read-offers.ts";
import { type Dialog, type Ending, showDialog } from "../overlay/show-dialog.tsx";
import type { Speech } from "../overlay/speech.ts";
import type { DeclineView } from "./views.ts";

type DeclineDialogProps = {
  spoken: Speech;
  theme: string;
  look: string;
  closing: AbortSignal;
  onOfferClick(offer: Offer): void;
  onClosed(ending: Ending): void;
};

/** The dialog of one application: opened with its first view, and drawn anew with each later one. */
export function declineDialog(props: DeclineDialogProps) {
  const { spoken, theme, look, closing, onOfferClick, onClosed } = props;
  let dialog: Dialog | null = null;
  return {
    isShown: () => dialog !== null,
    /** Returns the elements of the offers in the view, in their order. With `onRetry` its visitor may try again. */
    show(view: DeclineView, onRetry?: () => void): Element[] {
      const { text } = view.status;
      const wayOut = onRetry ? spoken.words.goOn : "";
      const about = { ...view, ...spoken, support: [], dismissible: true, wayOut, place: "" };
      const content = (onClose: () => void) => Panel({ ...about, onClose, onRetry, onOfferClick });
      if (dialog) dialog.draw(content, text);
      else
        dialog = showDialog(
          { ...spoken, theme, look, dismissible: true, closing, onClosed, status: text },
          content,
        );
      return dialog.elements();
    },
    end(ending: Ending): void {
      dialog?.end(ending);
    },
  };
}
