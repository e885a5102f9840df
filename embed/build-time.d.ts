/** The version of the embed, from its package.json. */
declare const __EMBED_VERSION__: string;

/** Served by the build as each file gets its name: paths below the service's base, such as `c/1a2b3c4d.js`. */
declare module "virtual:built-files" {
  export const overlayFile: string;
  export const sectionFile: string;
  export const declineFile: string;
  export const barFile: string;
  export const commandsFile: string;
  export const debugFile: string;
}

/** Served by the build once the languages' files have their names. */
declare module "virtual:words-files" {
  /** Paths below the service's base, by ISO 639-1 code. */
  export const wordsFiles: Readonly<Record<string, string>>;
}

interface Document {
  /** True while the page is loaded ahead of a visit that may never come; not in every browser. */
  readonly prerendering?: boolean;
}

interface HTMLDialogElement {
  /** Which gestures close the dialog; not in every browser. */
  closedBy?: string;
}
