import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { cases } from '../../../../../test/support/soak.ts';
import { type ConfigRecord, compareText, isSame, type Json, nameOf } from '../model/index.ts';
import { desiredRecords } from './desired.ts';
import { loadFiles } from './files.ts';
import { printYaml } from './print.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldwatch-print-'));

afterAll(() => rmSync(folder, { recursive: true }));

function loaded(text: string): ConfigRecord[] {
  const file = join(folder, 'a.yaml');
  writeFileSync(file, text);
  const { records, problems } = loadFiles([file], {});
  expect(problems).toEqual([]);
  return [...desiredRecords(records).records];
}

const HARD = [
  ...['yes', 'null', '~', '1e3', '0x10', '007', ' a', 'a ', '', '- a', 'a: b', '#a', '"', "'"],
  ...[
    'a\nb',
    'a\n',
    '\n',
    'a\r\nb',
    '\t',
    '\u0000',
    '\u2028',
    `\${a}`,
    `$\${a}`,
    `$$\${`,
    '…',
    '!!a',
  ],
  ...['*a', '&a', '%a', '@a', '|', '>', '{a}', '[a]', '...', '---', '2026-11-01', '.inf', '😀'],
];

const text = fc.oneof(fc.constantFrom(...HARD), fc.string({ unit: 'grapheme' }), fc.string());
const document = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>, {
  maxKeys: 4,
});
const key = fc
  .stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,5}$/)
  .filter((each) => each !== 'online');

const record: fc.Arbitrary<ConfigRecord[]> = fc.oneof(
  fc
    .record({ key, name: text, description: text })
    .map(({ key: own, name, description }) => [
      { kind: 'locations' as const, key: own, fields: { name, description } },
    ]),
  fc
    .record({ key, name: text, details: document })
    .map(({ key: own, name, details }) => [
      { kind: 'assets' as const, key: own, fields: { name, classificationDetails: details } },
    ]),
  fc.record({ key, own: key, name: text }).map(({ key: device, own, name }) => [
    { kind: 'devices' as const, key: device, fields: { name, type: 'CUSTOM_DEVICE' } },
    { kind: 'variables' as const, key: `${device}/${own}`, fields: { name, type: 'NUMBER' } },
  ]),
);

const records = fc
  .uniqueArray(record, { selector: ([first]) => first && nameOf(first), maxLength: 8 })
  .map((lists) => lists.flat());

describe('a printed file', () => {
  it('has the same records when it is read, whatever their texts', () => {
    const property = fc.property(records, (given) => {
      const byName = (one: ConfigRecord, other: ConfigRecord) =>
        compareText(nameOf(one), nameOf(other));
      const read = loaded(printYaml(given)).sort(byName);
      const wanted = [...given].sort(byName);
      expect(read.map(nameOf)).toEqual(wanted.map(nameOf));
      for (const [index, { fields }] of wanted.entries()) {
        if (!isSame(read[index]?.fields, fields)) expect(read[index]?.fields).toEqual(fields);
      }
    });
    fc.assert(property, { numRuns: cases(200) });
  });

  it.each(['no', 'Yes', 'on', 'OFF', 'y', '12:30:45', '0o17', '1_000'])(
    'has the text %s as a text for tools with YAML 1.1, too',
    (name) => {
      const printed = printYaml([{ kind: 'locations', key: 'a', fields: { name } }]);
      expect(parse(printed, { version: '1.1' })).toEqual({ locations: { a: { name } } });
    },
  );

  it('is the same whatever the order of the records', () => {
    const property = fc.property(
      records.chain((given) => fc.tuple(fc.constant(given), shuffled(given))),
      ([given, other]) => {
        expect(printYaml(other)).toBe(printYaml(given));
      },
    );
    fc.assert(property, { numRuns: cases(50) });
  });

  it.each([
    ['https://hooks.example.com/alarms', 'https://hooks.example.com/alarms'],
    [
      'https://hooks.example.com/v1/alarms-of-the-site',
      'https://hooks.example.com/v1/alarms-of-the-site',
    ],
    ['https://hooks.example.com/?token=x', `\${env:WEBHOOKS_A_URL}`],
    ['https://hooks.example.com/T0AB12CD34EF56GH', `\${env:WEBHOOKS_A_URL}`],
  ])('has the URL %s of a webhook as %s', (url, shown) => {
    const printed = printYaml([{ kind: 'webhooks', key: 'a', fields: { name: 'A', url } }]);
    expect(printed).toContain(`url: ${shown}\n`);
  });
});

function shuffled(given: ConfigRecord[]): fc.Arbitrary<ConfigRecord[]> {
  return fc.shuffledSubarray(given, { minLength: given.length });
}
