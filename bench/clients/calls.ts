/** What the calls of a generated client are made with. */
export type Given = {
  url: string;
  apiKey: string;
  integrationSecret: string;
  sessionId: string;
  fetch: typeof fetch;
};

/** What each route of servers was answered with, as the client's types have it. */
export type Called = {
  decision: string | undefined;
  offerUrl: string | undefined;
  catalogueTotal: number | undefined;
  isAccepted: boolean | undefined;
  isRepeatedAlike: boolean;
  reportDates: (string | undefined)[] | undefined;
  csvHeader: string | undefined;
  /** Whether every offer of the catalogue is explained. */
  isExplained: boolean;
  session: string | undefined;
  /** Of a call that is refused: its code, and the parameter that is wrong. */
  refusal: { code: string | undefined; parameter: string | undefined };
};
