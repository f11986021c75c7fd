const MAX_ANSWER_LENGTH = 300;

/** What a network server answered, as it may be shown: short, and without secrets. */
export function shownAnswer(text: string, secrets: readonly string[]): string {
  const masked = secrets.reduce((shown, secret) => maskedIn(shown, secret), text);
  return masked.replace(/\s+/g, ' ').trim().slice(0, MAX_ANSWER_LENGTH);
}

function maskedIn(text: string, secret: string): string {
  return [secret, secret.toLowerCase(), secret.toUpperCase()].reduce(
    (shown, form) => shown.replaceAll(form, '***'),
    text,
  );
}
