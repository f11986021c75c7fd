const two = (value: number) => String(value).padStart(2, '0');

/** A time in the viewer's zone, to the minute, as date and time fields have it. */
export function localText(ms: number): string {
  const date = new Date(ms);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The time of a field; null while it is empty or incomplete. */
export function localTime(text: string): number | null {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
