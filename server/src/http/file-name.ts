const MAX_NAME_CHARACTERS = 150;
/** What file systems refuse or people cannot see: separators, control and formatting characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu;

/**
 * `Content-Disposition` of a file (RFC 6266): its name in ASCII for old clients, and as it is, in
 * UTF-8 (RFC 8187), for all others.
 */
export function contentDisposition(name: string, extension: string): string {
  const safe = [...name.replaceAll(UNSAFE, ' ').replaceAll(/\s+/g, ' ').trim()]
    .slice(0, MAX_NAME_CHARACTERS)
    .join('')
    .replace(/^\.+/, '');
  const full = `${safe || 'export'}.${extension}`;
  const ascii = full
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]+/g, '_')
    .replaceAll('%', '_');
  const encoded = encodeURIComponent(full).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
