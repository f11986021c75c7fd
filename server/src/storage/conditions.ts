import { isUuid } from '../runtime/index.ts';
import { type Sql, sql } from './sql.ts';

/** Conditions joined by AND; none at all is true. */
export function all(conditions: readonly (Sql | undefined)[]): Sql {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}

/** Conditions joined by OR; undefined when there is none. */
export function anyOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? undefined : sql`(${sql.join(given, sql` or `)})`;
}

/** A literal substring of a folded column: `%`, `_` and `\\` are escaped. An empty one matches all. */
export function contains(column: Sql, folded: string): Sql | undefined {
  if (folded === '') return undefined;
  return sql`${column} like ${substringPattern(folded)}`;
}

/** Every one of the words is a literal substring of a folded text. No words match all. */
export function containsEach(text: Sql, words: readonly string[]): Sql {
  return sql`${text} like all(${words.map(substringPattern)}::text[])`;
}

function substringPattern(folded: string): string {
  return `%${folded.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** One of the ids. A malformed id matches nothing; an empty list filters nothing. */
export function among(column: Sql, ids: readonly string[]): Sql | undefined {
  return ids.length === 0 ? undefined : sql`${column} = any(${ids.filter(isUuid)}::uuid[])`;
}

/** Only archived rows, only active ones, or both. */
export function inScope(scope: 'active' | 'archived' | 'all'): Sql | undefined {
  if (scope === 'all') return undefined;
  return scope === 'active' ? sql`archived_at is null` : sql`archived_at is not null`;
}
