/**
 * What the service says of a field, as a sentence that can be read by itself below it: rules are told without their subject ("must
 * be …"), which is the field here.
 */
export function fieldSentence(message: string): string {
  const whole = lacksSubject.test(message) ? `This ${message}` : capitalized(message);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** The words by which the service's rules begin. */
const lacksSubject = /^(must|is|was|has|stands|takes|caps|cannot|may)\b/;

/** A plain word alone: names such as `github.io` stay as they are written. */
const capitalized = (text: string): string =>
  /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
