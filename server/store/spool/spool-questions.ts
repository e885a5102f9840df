import type { StoredLine } from "./spool-file.ts";

/** As the functions of spool-file.ts. */
export type SpoolQuestions = {
  open: { asked: null; answer: { forgotten: number; last: number } };
  add: { asked: string; answer: number };
  read: { asked: { after: number; most: number }; answer: { lines: StoredLine[]; upTo: number } };
  forget: { asked: number; answer: null };
  close: { asked: null; answer: null };
};
