/** The address of a module beside another: `.ts` where that is source, as in tests, `.js` once built. */
export function moduleBeside(ownUrl: string, name: string): string {
  return new URL(`./${name}${isSource(ownUrl) ? '.ts' : '.js'}`, ownUrl).href;
}

export function isSource(url: string): boolean {
  return url.endsWith('.ts');
}
