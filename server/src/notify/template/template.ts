import type { FieldError, TemplateContentType } from '@fieldwatch/contract';

/** A name in double braces, with or without spaces. */
const PLACEHOLDER = /\{\{\s*([A-Za-z]+)\s*\}\}/g;

const ESCAPES: Readonly<Record<TemplateContentType, (value: string) => string>> = {
  /** A placeholder stands within the quotes of a JSON string. */
  'application/json': (value) => JSON.stringify(value).slice(1, -1),
  'application/x-www-form-urlencoded': encodeURIComponent,
  'text/plain': (value) => value,
};

/** The template with each placeholder replaced by its value, escaped for the content type. */
export function renderTemplate(
  template: string,
  contentType: TemplateContentType,
  values: Readonly<Record<string, string>>,
): string {
  const escaped = ESCAPES[contentType];
  return template.replaceAll(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? escaped(values[name] ?? '') : whole,
  );
}

export interface TemplateRules {
  readonly path: string;
  readonly contentType: TemplateContentType;
  readonly placeholders: readonly string[];
}

/** What is wrong with a template, before it is ever used. */
export function templateErrors(
  template: string,
  { path, contentType, placeholders }: TemplateRules,
): FieldError[] {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const unknown = names.find((name) => !placeholders.includes(name));
  if (unknown !== undefined) {
    const known = placeholders.join(', ');
    return [{ path, message: `has no value for {{${unknown}}}; there are ${known}` }];
  }
  if (contentType !== 'application/json') return [];
  const sample = Object.fromEntries(placeholders.map((name) => [name, '"']));
  try {
    JSON.parse(renderTemplate(template, contentType, sample));
    return [];
  } catch {
    const message = 'must be JSON with its placeholders within the quotes of strings';
    return [{ path, message }];
  }
}
