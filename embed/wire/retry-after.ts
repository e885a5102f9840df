/** Milliseconds that a `Retry-After` asks to wait (RFC 9110 section 10.2.3: seconds, or a date); 0 for anything else. */
export function retryAfterMs(text: string | null, nowMs: number): number {
  if (!text) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return ms > 0 ? ms : 0;
}
