/** The ids in a setting that names Variables; null for any other setting. */
export function variableIdsIn(name: string, value: unknown): readonly string[] | null {
  if (!/VariableIds?$/.test(name)) return null;
  const ids = Array.isArray(value) ? value : [value];
  return ids.every((id): id is string => typeof id === 'string') ? ids : null;
}

/** A setting as text: lists of plain values without the brackets of JSON. */
export function settingText(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.length === 0 ? '–' : value.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
