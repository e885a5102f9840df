import { request } from "./request.ts";

/** The path below `v1/events/`. Content blockers match `/events/impression?`, so events never carry a query. */
type EventName = "drawn" | "impression" | "click" | "dismiss" | "snippet-ping";

/** Reports one event without waiting for the answer. */
export type SendEvent = (event: EventName, body: object) => void;

/**
 * Reports to the service at `base`: no answer is awaited, and a failure is ignored.
 *
 * `fetch` with `keepalive` survives leaving the page; `sendBeacon` would too, but content blockers cut
 * every third-party beacon while it still returns true. A text body is a simple request (no preflight)
 * and gets its `text/plain` from the browser.
 */
export function eventSender(base: string): SendEvent {
  return (event, body) =>
    request(`${base}v1/events/${event}`, {
      method: "POST",
      body: JSON.stringify(body),
      keepalive: true,
    }).catch(() => {
      // Blocked, offline or refused: the page must not notice.
    });
}
