/** The name of a Device without that of its site, where this stands beside it: "Generator". */
export function nameAtSite(deviceName: string, siteName: string | null): string {
  if (siteName === null || !deviceName.startsWith(siteName)) return deviceName;
  const [, rest] = /^\s*[:,·–-]\s*(\S.*)$/s.exec(deviceName.slice(siteName.length)) ?? [];
  return rest ?? deviceName;
}
