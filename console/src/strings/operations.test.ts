import { readdirSync, readFileSync } from 'node:fs';
import { operations } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { operations as phrases } from './operations.ts';

const ACCESS = new URL('../../../server/src/access/', import.meta.url);

/** The operations that the server records under names of its own. */
function recordedNames(): string[] {
  return readdirSync(ACCESS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const text = readFileSync(new URL(path.replaceAll('\\', '/'), ACCESS), 'utf8');
      const lines = text.split('\n').filter((line) => line.includes('operation:'));
      return lines.flatMap((line) => [...line.matchAll(/'(\w+)'/g)].map(([, name = '']) => name));
    });
}

/** What other services report is recorded under the names of its addresses. */
function callbackNames(): string[] {
  const routes = new URL('../../../server/src/paging/routes.ts', import.meta.url);
  const text = readFileSync(routes, 'utf8');
  return [...text.matchAll(/serveCallback\(\{ id: '(\w+)'/g)].map(([, name = '']) => name);
}

describe('the phrases of the audit log', () => {
  it('name every operation of the interface and of the server, and no other', () => {
    const named = new Set([...Object.keys(operations), ...recordedNames(), ...callbackNames()]);
    expect(recordedNames()).toContain('bootstrap');
    expect(callbackNames()).toContain('takeReply');
    expect(Object.keys(phrases).toSorted()).toEqual([...named].toSorted());
  });

  it('are words and not identifiers', () => {
    const wrong = Object.values(phrases).filter((phrase) => !/^[A-Z][a-z]+ ?[\w -]*$/.test(phrase));
    expect(wrong).toEqual([]);
    const named = (phrase: string) => phrase.replaceAll('LoRaWAN', 'Lorawan');
    const joined = Object.values(phrases).filter((phrase) => /[a-z][A-Z]|\./.test(named(phrase)));
    expect(joined).toEqual([]);
  });
});
