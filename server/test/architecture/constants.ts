import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './tree.ts';

const ARITHMETIC = /^[\d_.*+() -]+$/;

/** Source files of a folder such as `server/src/live`, tests apart. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !/\.(test|d)\.ts$/.test(name))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));
}

/** Each declaration `const NAME = 2 * OTHER;` or `name: 1_000,` of the text. */
function expressionsOf(text: string, name: string): string[] {
  const declared = new RegExp(`(?:\\bconst ${name} = |^ *${name}: )([^;,\\n]+)[;,]`, 'gm');
  const inline = new RegExp(`[{,] ${name}: ([\\d_* ]+)[ ,}]`, 'gm');
  return [...text.matchAll(declared), ...text.matchAll(inline)]
    .map(([, expression]) => (expression as string).trim())
    .filter((expression) => /\d/.test(expression) && !expression.includes("'"));
}

function evaluate(text: string, expression: string): number {
  const whole = expression.replaceAll(/\b[A-Z][A-Z_\d]+\b/g, (name) => {
    const [own] = expressionsOf(text, name);
    if (own === undefined) throw new Error(`${name} is not declared beside its use`);
    return String(evaluate(text, own));
  });
  if (!ARITHMETIC.test(whole)) throw new Error(`${expression} is not a number`);
  return whole
    .replaceAll('_', '')
    .split('*')
    .reduce((product, factor) => product * Number(factor), 1);
}

/** The text of `const OWNER = { … }`, or nothing. */
function literalOf(text: string, owner: string): string {
  return new RegExp(`\\bconst ${owner}\\b[^{]*(\\{[^}]*\\})`).exec(text)?.[1] ?? '';
}

/**
 * The number that a name stands for in a folder, where it must be declared exactly once: a constant,
 * a property, or `OWNER.property` where several objects have a property of that name.
 */
export function constantIn(folder: string, path: string): number {
  const [name = '', owner] = path.split('.').reverse();
  const values = sourcesIn(folder).flatMap((text) => {
    const declaring = owner === undefined ? text : literalOf(text, owner);
    return expressionsOf(declaring, name).map((expression) => evaluate(text, expression));
  });
  if (values.length !== 1) {
    throw new Error(`${folder} declares ${path} ${values.length} times instead of once`);
  }
  return values[0] as number;
}
