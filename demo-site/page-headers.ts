import type { RequestHandler } from "express";

/**
 * The policy of a careful publisher, so that the demo shows the embed at work under one. It allows the site's own files
 * and the service, and no inline script or style.
 */
function pagePolicy(serviceOrigin: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${serviceOrigin}`,
    `connect-src 'self' ${serviceOrigin}`,
    `img-src 'self' data: ${serviceOrigin}`,
    "style-src 'self'",
    "frame-src 'self'",
    "frame-ancestors 'self'",
    "form-action 'self'",
    "base-uri 'none'",
  ].join("; ");
}

export function pageHeaders(serviceOrigin: string): RequestHandler {
  const policy = pagePolicy(serviceOrigin);
  return (_request, response, next) => {
    response.set({
      "Content-Security-Policy": policy,
      "Referrer-Policy": "strict-origin-when-cross-origin",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-cache",
    });
    next();
  };
}
