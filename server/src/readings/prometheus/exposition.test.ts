import { expect, it } from 'vitest';
import { type ExposedValue, exposition } from './exposition.ts';

const rpm: ExposedValue = {
  id: 'v1',
  device: 'Generator 1',
  variable: 'Speed',
  path: 'engine.rpm',
  unit: 'rpm',
  classification: 'ELECTRICAL_GENERATOR_RPM',
  asset: 'Generator',
  location: 'North',
  value: 1800.5,
};
const bare = { unit: null, classification: null, asset: null, location: null };

it('numbers and booleans are values, texts are labels of a state, and empty labels are left out', () => {
  const values = [
    rpm,
    { ...rpm, ...bare, id: 'v2', variable: 'On', path: 'engine.on', value: true },
    { ...rpm, ...bare, id: 'v3', variable: 'Mode', path: 'engine.mode', value: 'AUTO' },
  ];
  expect(exposition(values)).toBe(
    [
      '# HELP fieldwatch_value The latest value of a Variable; a boolean is 0 or 1.',
      '# TYPE fieldwatch_value gauge',
      'fieldwatch_value{device="Generator 1",variable="Speed",path="engine.rpm",unit="rpm",classification="ELECTRICAL_GENERATOR_RPM",asset="Generator",location="North",id="v1"} 1800.5',
      'fieldwatch_value{device="Generator 1",variable="On",path="engine.on",id="v2"} 1',
      '# HELP fieldwatch_state The latest text of a Variable, as a label.',
      '# TYPE fieldwatch_state gauge',
      'fieldwatch_state{device="Generator 1",variable="Mode",path="engine.mode",id="v3",value="AUTO"} 1',
      '',
    ].join('\n'),
  );
});

it('a backslash, a quotation mark and a line break in a label are escaped, and an empty text is a state', () => {
  const line = exposition([{ ...rpm, ...bare, variable: 'a"b\\c\nd', value: '' }]).split('\n')[2];
  expect(line).toBe(
    'fieldwatch_state{device="Generator 1",variable="a\\"b\\\\c\\nd",path="engine.rpm",id="v1",value=""} 1',
  );
});

it('without values there is nothing', () => {
  expect(exposition([])).toBe('');
});
