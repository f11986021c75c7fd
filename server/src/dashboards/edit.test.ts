import { describe, expect, it } from 'vitest';
import { copiedFields, type DashboardFields, editedFields } from './edit.ts';

const stored: DashboardFields = {
  name: 'Engine room',
  isPublic: true,
  refreshIntervalSeconds: 5,
  configuration: { version: 1, widgets: [{ id: 'a', type: 'TEXT', x: 0, y: 0, w: 1, h: 1 }] },
};

describe('an edit', () => {
  it('keeps what is left out', () => {
    expect(editedFields(stored, {})).toEqual(stored);
  });

  it.each([
    { name: 'Other' },
    { isPublic: false },
    { refreshIntervalSeconds: 1 },
    { configuration: { version: 1 as const, widgets: [] } },
  ])('takes %j and nothing else', (body) => {
    expect(editedFields(stored, body)).toEqual({ ...stored, ...body });
  });
});

describe('a copy', () => {
  it('shows the same, is not public and says of what it is a copy', () => {
    expect(copiedFields(stored, undefined)).toEqual({
      ...stored,
      name: 'Copy of Engine room',
      isPublic: false,
    });
  });

  it('takes the name that it is given', () => {
    expect(copiedFields(stored, 'Mine').name).toBe('Mine');
  });

  it.each([
    ['x'.repeat(92), `Copy of ${'x'.repeat(92)}`],
    ['x'.repeat(93), `Copy of ${'x'.repeat(92)}`],
    [`${'x'.repeat(91)}😀y`, `Copy of ${'x'.repeat(91)}😀`],
    ['😀'.repeat(100), `Copy of ${'😀'.repeat(92)}`],
  ])('of %s is named within 100 characters, none of them cut in two', (name, expected) => {
    expect(copiedFields({ ...stored, name }, undefined).name).toBe(expected);
  });
});
