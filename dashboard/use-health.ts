import type { HealthAnswer } from "@offers/contract/dash/tag-health";
import { useEffect, useState } from "preact/hooks";
import { useSignedIn } from "./signed-in.ts";
import { type Answer, useAnswer } from "./use-answer.ts";

/** How often the service is asked while somebody waits for a page; afterwards seldom. */
const waitingSeconds = 1.5;
const watchingSeconds = 10;

/** How a website's tag fares, by itself again and again. The list of websites, which the side bar tells of, is kept alike. */
export function useHealth(path: string): Answer<HealthAnswer> {
  const { websites } = useSignedIn();
  const [isLive, setLive] = useState(false);
  const everySeconds = isLive ? watchingSeconds : waitingSeconds;
  const answer = useAnswer<HealthAnswer>(`${path}/health`, {}, { everySeconds });
  const health = answer.value;
  useEffect(() => {
    if (!health) return;
    setLive(health.state === "live");
    if (!websites.value) return;
    const listed = websites.value.items.find(({ websiteKey }) => websiteKey === health.websiteKey);
    if (listed?.health !== health.state) websites.refresh();
  }, [health]);
  return {
    ...answer,
    again: () => {
      answer.again();
      websites.again();
    },
  };
}
