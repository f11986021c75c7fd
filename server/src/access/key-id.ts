const KEY_ID = /^[^\0:]{1,100}$/u;

/** Whether a text could be the id of an API key. What cannot be stored is not looked for either. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}
