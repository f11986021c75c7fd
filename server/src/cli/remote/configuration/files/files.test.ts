import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { desiredRecords } from './desired.ts';
import { loadFiles, loadTemplate } from './files.ts';
import { problemText } from './problem.ts';

const root = mkdtempSync(join(tmpdir(), 'fieldwatch-files-'));
let folder: string;
let number = 0;

beforeEach(() => {
  number += 1;
  folder = join(root, String(number));
});

afterAll(() => rmSync(root, { recursive: true }));

function written(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function checked(loaded: ReturnType<typeof loadFiles>) {
  const { records, problems } = desiredRecords(loaded.records);
  const texts = [...loaded.problems, ...problems].map(problemText);
  return { records, problems: texts.map((text) => text.replaceAll(`${folder}/`, '')) };
}

const problemsOf = (text: string, environment = {}) =>
  checked(loadFiles([written('a.yaml', text)], environment)).problems;

const VARIABLE = 'name: Speed, topicPropertyPath: engine.rpm, type: NUMBER';

describe('a text whose substitute is missing', () => {
  const reason = 'needs the environment variable NOWHERE, which is not set';

  it.each([
    [
      'a text with a least length',
      `webhooks:\n  a:\n    name: Chat\n    url: \${env:NOWHERE}`,
      '4:5: webhooks.a.url',
    ],
    [
      'a number',
      `devices:\n  a:\n    name: Pump 1\n    type: CUSTOM_DEVICE\n    onlineMinutes: \${env:NOWHERE}`,
      '5:5: devices.a.onlineMinutes',
    ],
    [
      'a reference',
      `locations:\n  a:\n    name: Hall 1\n    parent: \${env:NOWHERE}`,
      '4:5: locations.a.parent',
    ],
    ['a key', `locations:\n  \${env:NOWHERE}:\n    name: Hall 1`, '1:1: locations'],
  ])('is reported once, as %s', (_, text, place) => {
    expect(problemsOf(text)).toEqual([`a.yaml:${place} ${reason}`]);
  });

  it('refers to no record', () => {
    const text = `locations:\n  a:\n    name: Hall 1\n    parent: \${env:NOWHERE}`;
    const [record] = checked(loadFiles([written('a.yaml', text)], {})).records;
    expect(record?.references).toEqual([]);
  });

  it('is reported once in a template, too', () => {
    const file = written(
      't.yaml',
      `parameters: {}\nwebhooks:\n  a:\n    name: Chat\n    url: \${site}`,
    );
    expect(checked(loadTemplate(file, {}, {})).problems).toEqual([
      't.yaml:5:5: webhooks.a.url names the parameter site, which the template does not declare',
    ]);
  });
});

describe('a wrong file is refused with file, line, field and reason', () => {
  it.each([
    ['locations:\n  a: [', /^a\.yaml:2:\d+: is not valid YAML: /],
    ['- 1', /^a\.yaml:1:1: must be a map of locations, /],
    ['location:\n  a: {}', /^a\.yaml:1:1: location must be one of locations, /],
    ['locations: 3', 'a.yaml:1:1: locations must be a map of records by their keys'],
    ['locations:\n  a: 3', 'a.yaml:2:3: locations.a must be a map of fields'],
    ['locations:\n  a:\n', 'a.yaml:2:3: locations.a.name is required'],
    [
      'locations:\n  a:\n    nam: x',
      'a.yaml:3:5: locations.a.nam is no field here; did you mean name?',
    ],
    ['locations:\n  a:\n    name: 7', 'a.yaml:3:5: locations.a.name must be a string'],
    [
      'locations:\n  a: { name: A, latitude: 3 }',
      /^a\.yaml:2:3: locations\.a\.longitude is required when/,
    ],
    [
      'locations:\n  a:\n    name: A\n    timeZone: Mars',
      /^a\.yaml:4:5: locations\.a\.timeZone must be the IANA/,
    ],
    [
      'locations:\n  a:\n    name: A\n    parent: 3',
      'a.yaml:4:5: locations.a.parent must be the key of one of the locations',
    ],
    ['locations:\n  a b:\n    name: A', /^a\.yaml:2:3: locations\.a b must have a key of letters/],
    [
      'locations:\n  a:\n    name: A\n    name: B',
      /^a\.yaml:4:5: is not valid YAML: Map keys must be unique/,
    ],
    [
      'locations:\n  a: &x { name: A }\n  b: *x',
      'a.yaml:3:3: locations.b is an alias; use a template for what is repeated',
    ],
    [
      'devices:\n  a:\n    name: Pump 1\n    type: PUMP',
      /^a\.yaml:4:5: devices\.a\.type must be one of CONTROLCOM/,
    ],
    [
      'devices:\n  a:\n    name: Pump\n    type: CUSTOM_DEVICE',
      'a.yaml:3:5: devices.a.name must have at least 5 characters',
    ],
    [
      'devices:\n  a:\n    name: Pump 1\n    type: CUSTOM_DEVICE\n    onlineMinutes: 0',
      'a.yaml:5:5: devices.a.onlineMinutes must be at least 1',
    ],
    [
      `devices:\n  a:\n    name: Pump 1\n    type: CUSTOM_DEVICE\n    variables:\n      online: { ${VARIABLE} }`,
      /^a\.yaml:6:7: devices\.a\.variables\.online has the key of the built-in Variable/,
    ],
    [
      `devices:\n  a:\n    name: Pump 1\n    type: CUSTOM_DEVICE\n    variables:\n      b: { ${VARIABLE} }\n      c: { ${VARIABLE} }`,
      'a.yaml:7:7: variables/a/c has the topicPropertyPath of variables/a/b',
    ],
    [
      'alarms:\n  a:\n    name: A\n    variable: d/v\n    operator: OVER',
      /^a\.yaml:5:5: alarms\.a\.operator must be one of LESS_THAN/,
    ],
    [
      'alarmGroups:\n  a:\n    name: A\n    subscriptions:\n      - kind: EMAIL\n        email: nobody',
      /^a\.yaml:6:9: alarmGroups\.a\.subscriptions\[0\]\.email must be an email/,
    ],
    [
      'dashboards:\n  a:\n    name: A\n    configuration:\n      version: 1\n      widgets:\n        - { id: a, type: TEXT, x: 9, y: 0, w: 9, h: 1 }',
      /^a\.yaml:7:44: dashboards\.a\.configuration\.widgets\[0\]\.w must end within/,
    ],
    [
      'webhooks:\n  a:\n    name: A\n    url: ftp://x',
      /^a\.yaml:4:5: webhooks\.a\.url must be an http or https URL/,
    ],
    [
      'dashboards:\n  a:\n    name: A\n    isPublished: often',
      'a.yaml:4:5: dashboards.a.isPublished must be true or false',
    ],
    [
      `locations:\n  a:\n    name: \${b}`,
      /^a\.yaml:3:5: locations\.a\.name has \$\{b\}, which is for templates/,
    ],
    [
      `locations:\n  a:\n    name: \${env:NOWHERE}`,
      /environment variable NOWHERE, which is not set$/,
    ],
    [
      'locations:\n  a: { name: A, latitude: .inf, longitude: 0 }',
      'a.yaml:2:17: locations.a.latitude must be a finite number',
    ],
    ['instances: 3', 'a.yaml:1:1: instances must be a list'],
    [
      'instances:\n  - template: b.yaml',
      'a.yaml:2:5: instances[0] names b.yaml, which cannot be read',
    ],
  ])('%j', (text, expected) => {
    const [first] = problemsOf(text);
    if (typeof expected === 'string') expect(first).toBe(expected);
    else expect(first).toMatch(expected);
  });

  it('when a record is in two files', () => {
    const files = ['a.yaml', 'b.yaml'].map((name) => written(name, 'locations:\n  a: { name: A }'));
    expect(checked(loadFiles(files, {})).problems).toEqual([
      'b.yaml:2:3: locations/a is given in a.yaml:2 already',
    ]);
  });

  it('when records are among their own parents', () => {
    const text = 'locations:\n  a: { name: A, parent: b }\n  b: { name: B, parent: a }';
    expect(problemsOf(text)).toEqual([
      'a.yaml:2:3: locations/a is among its own parents',
      'a.yaml:3:3: locations/b is among its own parents',
    ]);
  });

  it('when it cannot be read, and a folder when it has no files', () => {
    mkdirSync(folder);
    const { problems } = checked(loadFiles([join(folder, 'no.yaml'), folder], {}));
    expect(problems[0]).toBe('no.yaml:1:1: cannot be read');
    expect(problems[1]).toMatch(/has no YAML files$/);
  });
});

describe('a template', () => {
  const TEMPLATE = `parameters:
  site: {}
  name: { description: The name }
  latitude: { type: number, default: 1.5 }
locations:
  \${site}:
    name: "\${name} at \${latitude}, not $\${name}"
    latitude: \${latitude}
    longitude: 0
`;
  const using = (parameters: string) => {
    written('t/site.yaml', TEMPLATE);
    const text = `instances:\n  - template: t/site.yaml\n    parameters: ${parameters}\n`;
    return checked(loadFiles([written('all.yaml', text)], {}));
  };

  it('gives records for each use, with its parameters in keys and values', () => {
    written('t/site.yaml', TEMPLATE);
    written(
      'all.yaml',
      'instances:\n' +
        '  - { template: t/site.yaml, parameters: { site: a, name: A } }\n' +
        '  - { template: t/site.yaml, parameters: { site: b, name: B, latitude: -3 } }\n',
    );
    const { records, problems } = checked(loadFiles([folder], {}));
    expect(problems).toEqual([]);
    expect(records.map(({ key, fields }) => [key, fields])).toEqual([
      ['a', { name: `A at 1.5, not \${name}`, latitude: 1.5, longitude: 0 }],
      ['b', { name: `B at -3, not \${name}`, latitude: -3, longitude: 0 }],
    ]);
  });

  it.each([
    ['{ site: a }', 'all.yaml:3:5: instances[0] lacks name, which the template needs'],
    ['{ site: a, name: A, nam: B }', /has nam, which the template does not declare$/],
    ['{ site: a, name: A, latitude: north }', /must have a number as latitude$/],
    ['{ site: a b, name: A }', /^t\/site\.yaml:6:3: locations\.a b must have a key/],
    [
      '{ site: a, name: "" , latitude: 100 }',
      /^t\/site\.yaml:8:5: locations\.a\.latitude must be at most 90$/,
    ],
  ])('used with %s is refused', (parameters, expected) => {
    const [first] = using(parameters).problems;
    if (typeof expected === 'string') expect(first).toBe(expected);
    else expect(first).toMatch(expected);
  });

  it('takes parameters as texts, in their types', () => {
    const file = written('t.yaml', TEMPLATE);
    const texts = { site: '007', name: 'A', latitude: '12.5' };
    const { records, problems } = checked(loadTemplate(file, texts, {}));
    expect(problems).toEqual([]);
    expect(records).toMatchObject([{ key: '007', fields: { latitude: 12.5 } }]);
  });

  it.each([
    [
      'parameters: 3',
      't.yaml:1:1: parameters must be a map of parameters, which a template declares',
    ],
    ['parameters:\n  a-b: {}', 't.yaml:2:3: parameters.a-b must be of letters and digits'],
    ['parameters:\n  a: { type: list }', /^t\.yaml:2:3: parameters\.a must have a type of string/],
    ['parameters:\n  a: { type: number, default: x }', /must have a default of the type number$/],
    ['locations: {}', /^t\.yaml:1:1: parameters must be a map/],
  ])('that declares %j is refused', (text, expected) => {
    const [first] = checked(loadTemplate(written('t.yaml', text), {}, {})).problems;
    if (typeof expected === 'string') expect(first).toBe(expected);
    else expect(first).toMatch(expected);
  });

  it('is not a file of configuration itself', () => {
    const { problems } = checked(loadFiles([written('t.yaml', TEMPLATE)], {}));
    expect(problems).toEqual([
      't.yaml:1:1: is a template: name it in the instances of another file',
    ]);
  });
});
