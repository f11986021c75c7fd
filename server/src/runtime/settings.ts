type Values = Readonly<Record<string, string | undefined>>;

/** A setting's text turned into its value, or a sentence on what it must be. */
export type ParseSetting<T> = (
  text: string,
) => { readonly value: T } | { readonly problem: string };

export const anySetting: ParseSetting<string> = (value) => ({ value });

export const portSetting: ParseSetting<number> = (text) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? { value: Number(text) }
    : { problem: 'must be a port number from 0 to 65535' };

export const countSetting: ParseSetting<number> = (text) =>
  /^\d{1,9}$/.test(text) ? { value: Number(text) } : { problem: 'must be a whole number' };

export const flagSetting: ParseSetting<boolean> = (text) =>
  text === 'true' || text === 'false'
    ? { value: text === 'true' }
    : { problem: 'must be true or false' };

export interface SettingsReader {
  /** The value of a setting; the fallback where it is absent or wrong. */
  readonly read: <T, F>(name: string, parse: ParseSetting<T>, fallback: F) => T | F;
  /** One sentence per wrong setting, each beginning with its name. */
  readonly problems: string[];
  /** Names with the prefix that were never read. */
  unknown(prefix: string): readonly string[];
}

/** Reads settings one by one and keeps what was wrong with each. An empty value is an absent one. */
export function createSettingsReader(
  values: Values,
  known: readonly string[] = [],
): SettingsReader {
  const problems: string[] = [];
  const names = new Set(known);
  return {
    problems,
    read(name, parse, fallback) {
      names.add(name);
      const text = values[name];
      if (text === undefined || text === '') return fallback;
      const parsed = parse(text);
      if ('value' in parsed) return parsed.value;
      problems.push(`${name} ${parsed.problem}.`);
      return fallback;
    },
    unknown: (prefix) =>
      Object.keys(values).filter((name) => name.startsWith(prefix) && !names.has(name)),
  };
}
