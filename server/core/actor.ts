/** Who changes something, as the activity page names them. */
export type Actor =
  | { kind: "user"; userId: number; name: string }
  /** Somebody at the operator's terminal; the name is their account's on that machine. */
  | { kind: "command_line"; name: string }
  | { kind: "partner"; name: string };
