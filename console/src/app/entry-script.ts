/** The script that a page of the console starts with. Its name changes with every version. */
export function scriptOf(html: string): string | null {
  return /<script type="module"[^>]*\ssrc="([^"]+)"/.exec(html)?.[1] ?? null;
}
