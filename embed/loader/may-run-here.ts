/**
 * Whether this browser has the features that the overlay needs. Asked before anything is sent. Style sheets that
 * scripts can make came last of all of them, save dialogs, and in Chromium a signal that aborts after a time.
 * Throws a ReferenceError in a browser that lacks even the name of one.
 */
export function isSupported(): unknown {
  return HTMLDialogElement && (AbortSignal.timeout as unknown) && CSSStyleSheet.prototype.replaceSync;
}

/**
 * Whether the page stands by itself: it is the top window, or the top window is of the same origin (a
 * publisher's own preview). Inside somebody else's page the overlay stays away, unless the tag asks for it.
 */
export function isOwnPage(): boolean {
  try {
    return !!(window.top as Window).document;
  } catch {
    return false;
  }
}
