import { isObject, type Json } from '../model/index.ts';
import type { Path } from './document.ts';

/** The values that a template is used with. */
export type Parameters = Readonly<Record<string, Json>>;

const TYPES = ['string', 'number', 'boolean'] as const;

interface Declaration {
  readonly type: (typeof TYPES)[number];
  readonly default: Json | undefined;
}

export type Declarations = ReadonlyMap<string, Declaration>;

const NAME = /^[A-Za-z][A-Za-z0-9]*$/;
const FIELDS = ['type', 'description', 'default'];

/** The parameters that a template declares, or what is wrong with them. */
export function declaredParameters(
  written: Json | undefined,
): { readonly parameters: Declarations } | { readonly path: Path; readonly reason: string } {
  if (!isObject(written)) {
    return { path: [], reason: 'must be a map of parameters, which a template declares' };
  }
  const parameters = new Map<string, Declaration>();
  for (const [name, given] of Object.entries(written)) {
    const reason = NAME.test(name) ? declarationProblem(given) : 'must be of letters and digits';
    if (reason !== undefined) return { path: [name], reason };
    const { type = 'string', default: value } = isObject(given) ? given : {};
    parameters.set(name, { type: type as Declaration['type'], default: value });
  }
  return { parameters };
}

function declarationProblem(given: Json): string | undefined {
  if (given === null) return undefined;
  const { type = 'string', default: value, ...rest } = isObject(given) ? given : { given };
  if (!(TYPES as readonly Json[]).includes(type)) return `must have a type of ${TYPES.join(', ')}`;
  if (Object.keys(rest).some((name) => !FIELDS.includes(name))) {
    return `must have no fields but ${FIELDS.join(', ')}`;
  }
  const isFitting = value === undefined || typeof value === type;
  return isFitting ? undefined : `must have a default of the type ${String(type)}`;
}

/** All parameters of a template with their values, or what is wrong with the given ones. */
export function givenParameters(
  declared: Declarations,
  given: Parameters,
): { readonly parameters: Parameters } | { readonly reasons: readonly string[] } {
  const reasons = Object.keys(given)
    .filter((name) => !declared.has(name))
    .map((name) => `has ${name}, which the template does not declare`);
  const parameters: Record<string, Json> = {};
  for (const [name, { type, default: value }] of declared) {
    const chosen = Object.hasOwn(given, name) ? given[name] : value;
    if (chosen === undefined) reasons.push(`lacks ${name}, which the template needs`);
    else if (typeof chosen !== type) reasons.push(`must have a ${type} as ${name}`);
    else parameters[name] = chosen;
  }
  return reasons.length > 0 ? { reasons } : { parameters };
}

/** Values that are given as texts, in the types that the template declares. */
export function typedParameters(
  declared: Declarations,
  texts: Readonly<Record<string, string>>,
): Parameters {
  const typed = (name: string, text: string): Json => {
    const { type } = declared.get(name) ?? {};
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
    return type === 'number' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, typed(name, text)]));
}
