import type { TagCauseCode } from "@offers/contract/words";

/** What would mend a cause at a click; the page of the dashboard where it is mended by hand. */
export type TagButton =
  | { kind: "register_origin"; origin: string }
  | { kind: "copy_tag" }
  /** The line to copy is another one than the tag. */
  | { kind: "copy_line"; line: string }
  | { kind: "check_page" }
  | { kind: "open"; page: "allowlist" | "places" | "settings" | "look" };

export type TagCause = {
  code: TagCauseCode;
  /** What is the matter, as a sentence. */
  says: string;
  /** What to do about it, as a sentence, wherever that is read. */
  fix: string;
  /** What the operator would type for it after `admin --`; null: no command mends it. */
  command: string | null;
  /** Null: nothing here mends it. */
  button: TagButton | null;
  /** Whether the tag does nothing for its visitors because of it. */
  isFatal: boolean;
};

/** What mends it besides words. */
export type More = { button?: TagButton; command?: string };

const cause =
  (isFatal: boolean) =>
  (code: TagCauseCode, says: string, fix: string, { button, command }: More = {}): TagCause => ({
    code,
    says,
    fix,
    command: command ?? null,
    button: button ?? null,
    isFatal,
  });

/** The tag does nothing for its visitors because of it. */
export const fatal = cause(true);
/** Worth a word, and breaks nothing. */
export const hint = cause(false);
