import type { MadeLink } from "@offers/contract/dash/accounts";
import { formatTime } from "../format.ts";
import { CodeBlock } from "./code-block.tsx";
import { Dialog } from "./dialog.tsx";

/** A link at the one moment at which it can be read. */
export function MadeLinkDialog({
  email,
  made: { link, expiresAt },
  onClose,
}: {
  email: string;
  made: MadeLink;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={`A link for ${email}`}
      onClose={onClose}
      actions={
        <button type="submit" class="button main">
          I have sent it
        </button>
      }
      onSend={onClose}
    >
      <p>
        Send this to {email} and to nobody else. It works once, until {formatTime(expiresAt)}, and is not
        shown again.
      </p>
      <CodeBlock code={link} label="The link" copyWord="Copy the link" />
    </Dialog>
  );
}
