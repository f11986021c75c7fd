import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configurationSchema } from './schema.ts';

const PAGE = new URL('../../../../../../docs/configuration-as-code.md', import.meta.url);

const FORMATS = { uuid: true, email: true, 'date-time': true } as const;
const ajv = new Ajv({ strict: false, allErrors: true, formats: FORMATS });
const check = ajv.compile(configurationSchema());

function errorsOf(yaml: string): string[] {
  check(parse(yaml));
  return (check.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

describe('the JSON Schema of files of configuration', () => {
  const examples = [...readFileSync(PAGE, 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)];

  it.each(examples.map(([, text = '']) => [text.split('\n')[0], text]))(
    'accepts the example %s of the documentation',
    (_, text = '') => {
      expect(errorsOf(text)).toEqual([]);
    },
  );

  it.each([
    ['location: {}', ' additionalProperties'],
    ['locations: { a: {} }', '/locations/a required'],
    ['locations: { a: { name: A, nam: B } }', '/locations/a additionalProperties'],
    ['locations: { a: { name: A, latitude: 91 } }', '/locations/a/latitude maximum'],
    ['locations: { "a b": { name: A } }', '/locations propertyNames'],
    ['devices: { a: { name: Pump 1, type: PUMP } }', '/devices/a/type enum'],
    ['alarms: { a: { name: A, operator: OVER, variable: a/b } }', '/alarms/a/operator enum'],
    ['assets: { a: { name: Pump, variables: [3] } }', '/assets/a/variables/0 type'],
    [
      'dashboards: { a: { name: A, configuration: { version: 1, widgets: [{ id: a, type: VALUE, x: 0, y: 0, w: 1, h: 1, variable: 3 }] } } }',
      '/dashboards/a/configuration/widgets/0/variable type',
    ],
  ])('refuses %s', (yaml, error) => {
    expect(errorsOf(yaml)).toContain(error);
  });

  it('accepts parameters where numbers and lists of values are expected', () => {
    const yaml = (value: string) =>
      `alarms: { a: { name: A, variable: "${value}/b", operator: "${value}", deadband: "${value}" } }`;
    expect(errorsOf(yaml(`\${x}`))).toEqual([]);
    expect(errorsOf(yaml('x'))).not.toEqual([]);
  });
});
