/** A document with what Twilio says in a call. */
const document = (verbs: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;

const SECONDS_TO_PRESS = 10;
const KEYS = 'Press 4 to acknowledge. Press 6 to escalate.';

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Says the text and waits for a key; says it three times where no key can be reported. */
export function announcement(text: string, keysUrl: string | null): string {
  if (keysUrl === null) return document(`<Say loop="3">${escapeXml(text)}</Say>`);
  const gather = `numDigits="1" timeout="${SECONDS_TO_PRESS}" actionOnEmptyResult="true" action="${escapeXml(keysUrl)}"`;
  return document(`<Gather ${gather}><Say>${escapeXml(`${text}. ${KEYS}`)}</Say></Gather>`);
}

/** Says the text and ends the call. */
export function farewell(text: string): string {
  return document(`<Say>${escapeXml(text)}</Say><Hangup/>`);
}

/** Says and sends nothing. */
export const NO_ANSWER = document('');
