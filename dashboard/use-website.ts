import type { DashWebsite } from "@offers/contract/dash/websites";
import { useRoute } from "preact-iso/router";
import { usePublisher } from "./signed-in.ts";
import { type Answer, useAnswer } from "./use-answer.ts";

/** The website that the page's address names: where it is asked for, and the answer. */
export function useWebsite(): { key: string; path: string; website: Answer<DashWebsite> } {
  const { params } = useRoute();
  const { publisherId } = usePublisher();
  const key = params.key ?? "";
  const path = `publishers/${publisherId}/websites/${encodeURIComponent(key)}`;
  return { key, path, website: useAnswer<DashWebsite>(path) };
}
