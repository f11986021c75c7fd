const IMAGE_URL = /^(https:\/\/[^\s]+|data:image\/(png|jpeg|gif|webp|svg\+xml)[;,][^\s]*)$/;

/** Whether the address may be that of a picture: over TLS, or the picture itself. */
export function isImageUrl(url: string): boolean {
  return IMAGE_URL.test(url);
}
