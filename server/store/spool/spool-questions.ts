import type { StoredLine } from "./spool-file.ts";

/** What the spool's thread is started with. */
export type SpoolThreadOptions = {
  /** Path of the file; its directory exists. */
  file: string;
  /** How large it may become; left out: as spool-file.ts says. */
  megabytes?: number;
};

/** As the functions of spool-file.ts. */
export type SpoolQuestions = {
  open: { asked: null; answer: { forgotten: number; last: number } };
  add: { asked: string; answer: number };
  read: { asked: { after: number; most: number }; answer: { lines: StoredLine[]; upTo: number } };
  forget: { asked: number; answer: null };
  close: { asked: null; answer: null };
};
