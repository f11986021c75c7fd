import { describe, expect, it } from 'vitest';
import { settingText, variableIdsIn } from './settings.ts';

describe('a setting of an Asset', () => {
  it('is a list of Variables when its name says so, so that they are shown as links', () => {
    expect(variableIdsIn('runningHoursVariableIds', ['a', 'b'])).toEqual(['a', 'b']);
    expect(variableIdsIn('fuelVariableId', 'a')).toEqual(['a']);
    expect(variableIdsIn('make', 'Acme')).toBeNull();
    expect(variableIdsIn('runningHoursVariableIds', [1])).toBeNull();
  });

  it('is shown as text without brackets and quotes', () => {
    expect(settingText('Acme')).toBe('Acme');
    expect(settingText(500)).toBe('500');
    expect(settingText(['Diesel', 'Gas'])).toBe('Diesel, Gas');
    expect(settingText([])).toBe('–');
    expect(settingText({ a: 1 })).toBe('{"a":1}');
  });
});
