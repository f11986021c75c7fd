import { describe, expect, it } from 'vitest';
import { configurationErrors } from './widgets.ts';

const MAX_BYTES = 256 * 1024;

const errorsOf = (configuration: unknown) =>
  configurationErrors('configuration', configuration).map(
    ({ path, message }) => `${path} ${message}`,
  );

const widgets = (...given: object[]) => ({ version: 1, widgets: given });

/** A configuration of exactly so many bytes, padded with the character. */
function sized(bytes: number, character: string) {
  const empty = { version: 1, widgets: [], padding: '' };
  const room = bytes - Buffer.byteLength(JSON.stringify(empty));
  const width = Buffer.byteLength(character);
  const padding = character.repeat(Math.floor(room / width)) + 'x'.repeat(room % width);
  return { ...empty, padding };
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe('a configuration', () => {
  it.each(['x', 'é', '€', '😀'])('is measured in bytes of UTF-8, with %s too', (character) => {
    const tooLarge = ['configuration must be at most 256 KiB as JSON'];
    expect(errorsOf(sized(MAX_BYTES - 1, character))).toEqual([]);
    expect(errorsOf(sized(MAX_BYTES, character))).toEqual([]);
    expect(errorsOf(sized(MAX_BYTES + 1, character))).toEqual(tooLarge);
  });

  it('has no number that JSON cannot give back', () => {
    const [, beyond] = JSON.parse('[1e308, 1e309]') as number[];
    expect(errorsOf({ ...widgets(), own: { list: [1, beyond] } })).toEqual([
      'configuration.own.list[1] must be a number within the range of doubles',
    ]);
  });

  it.each([undefined, null, 5, 'text', [], { widgets: 5 }, { widgets: [null, 5, 'x', []] }])(
    'of the wrong shape, %j, is left to the schema',
    (configuration) => {
      expect(errorsOf(configuration)).toEqual([]);
    },
  );

  it('of any depth does no harm', () => {
    expect(errorsOf(nested(100_000))).toEqual([]);
    expect(errorsOf({ widgets: nested(100_000) })).toEqual([]);
  });
});

describe('a widget', () => {
  it('has an id of its own', () => {
    expect(errorsOf(widgets({ id: 'a' }, { id: 'b' }, { id: 'a' }, { id: 'a' }, {}, {}))).toEqual([
      'configuration.widgets[2].id is the id of widgets[0] too',
      'configuration.widgets[3].id is the id of widgets[0] too',
    ]);
  });

  it.each([
    [0, 12, []],
    [11, 1, []],
    [1, 12, ['configuration.widgets[0].w must end within the 12 columns']],
    [11, 2, ['configuration.widgets[0].w must end within the 12 columns']],
  ])('at %i and %i wide fits the columns or not', (x, w, errors) => {
    expect(errorsOf(widgets({ x, w }))).toEqual(errors);
  });

  it.each(['GAUGE', 'CHART'])('of type %s has a scale that goes up', (type) => {
    const refused = ['configuration.widgets[0].max must be more than min'];
    expect(errorsOf(widgets({ type, min: 0, max: 1 }))).toEqual([]);
    expect(errorsOf(widgets({ type, min: 1 }))).toEqual([]);
    expect(errorsOf(widgets({ type, min: 1, max: 1 }))).toEqual(refused);
    expect(errorsOf(widgets({ type, min: 2, max: 1 }))).toEqual(refused);
  });

  it('of an unknown type may call anything min and max', () => {
    expect(errorsOf(widgets({ type: 'NEWER', min: 2, max: 1 }))).toEqual([]);
  });
});
