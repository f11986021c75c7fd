import { readFileSync } from 'node:fs';
import { ERROR_CODES, ERRORS, type ErrorCode, Problem } from '@fieldwatch/contract';
import { openApiDocument } from '@fieldwatch/contract/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

interface Section {
  readonly anchor: string;
  readonly text: string;
}

/** The anchor that a Markdown heading gets: lower case, words joined by dashes. */
function anchorOf(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(' ', '-');
}

function codeSections(): Section[] {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const [, codes = ''] = page.split('\n## The codes\n');
  return codes
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return { anchor: anchorOf(heading), text: lines.join('\n') };
    });
}

function sectionOf(code: ErrorCode): Section {
  const anchor = code.toLowerCase().replaceAll('_', '-');
  const section = codeSections().find((each) => each.anchor === anchor);
  if (!section) throw new Error(`docs/errors.md has no section #${anchor}`);
  return section;
}

const isProblem = new Ajv2020().compile(Problem);

describe('docs/errors.md', () => {
  it('has one section for each code, in the order of the list, and no other', () => {
    expect(codeSections().map(({ anchor }) => anchor)).toEqual(
      ERROR_CODES.map((code) => code.toLowerCase().replaceAll('_', '-')),
    );
  });

  it.each(ERROR_CODES)('gives %s its status and title', (code) => {
    const { status, title } = ERRORS[code];
    expect(sectionOf(code).text.trim().split('\n')[0]).toBe(
      `\`${code}\`, status ${status}: ${title}.`,
    );
  });

  it.each(ERROR_CODES)('says what to do about %s', (code) => {
    expect(sectionOf(code).text).toContain('**What to do.** ');
  });

  it.each(ERROR_CODES)('shows a reply with %s as the service writes it', (code) => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(sectionOf(code).text) ?? [];
    const problem: unknown = JSON.parse(example);
    expect(isProblem(problem), JSON.stringify(isProblem.errors)).toBe(true);
    expect(problem).toMatchObject({
      code,
      ...ERRORS[code],
      type: `/docs/errors#${sectionOf(code).anchor}`,
    });
  });
});

/** Every schema: what stands under a `schema` key, and the named components. */
function* schemasIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (key === 'schema') yield part;
    else if (key === 'schemas') yield* Object.values<object>(part);
    else yield* schemasIn(part);
  }
}

/** With its references to components as references into the document `openapi`. */
function referring<T>(value: T): T {
  const text = JSON.stringify(value).replaceAll('"#/components/', '"openapi#/components/');
  return JSON.parse(text) as T;
}

describe('the schemas of the OpenAPI document', () => {
  it('compile as JSON Schema 2020-12, with no keyword or format unknown', () => {
    const document = openApiDocument();
    const { components } = document;
    const ajv = new Ajv2020({
      discriminator: true,
      allowUnionTypes: true,
      strictRequired: false,
      code: { optimize: false },
    });
    for (const format of ['uuid', 'date-time', 'email', 'uri-reference']) {
      ajv.addFormat(format, true);
    }
    ajv.addKeyword('components').addKeyword('x-messages');
    // Added once, so that a component is compiled once and not for each schema that refers to it.
    ajv.addSchema(referring({ $id: 'openapi', components }));
    const schemas = [...schemasIn(document)];
    expect(schemas.length).toBeGreaterThan(Object.keys(components.schemas).length);
    for (const schema of schemas) ajv.compile(referring(schema));
  });
});
