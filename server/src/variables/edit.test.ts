import { describe, expect, it } from 'vitest';
import { editedVariableFields, newVariableFields, type VariableFields } from './edit.ts';

const stored: VariableFields = {
  name: 'Engine speed',
  description: 'Of the crankshaft',
  unit: 'rpm',
  isLoggingEnabled: true,
  classificationType: 'ELECTRICAL_GENERATOR_RPM',
  folderId: '018f0000-0000-7000-8000-000000000001',
};

describe('the fields of a new Variable', () => {
  it('are null where nothing was given', () => {
    const required = { topicPropertyPath: 'engine.rpm', type: 'NUMBER', name: 'Speed' } as const;
    expect(newVariableFields({ ...required, isLoggingEnabled: false })).toEqual({
      name: 'Speed',
      description: null,
      unit: null,
      isLoggingEnabled: false,
      classificationType: null,
      folderId: null,
    });
  });
});

describe('an edit of a Variable', () => {
  it('that gives nothing keeps everything', () => {
    expect(editedVariableFields(stored, {})).toEqual(stored);
  });

  it('changes each field alone', () => {
    const given = {
      name: 'Speed',
      description: '',
      unit: '1/min',
      isLoggingEnabled: false,
      classificationType: 'CUSTOM',
      folderId: '018f0000-0000-7000-8000-000000000002',
    };
    for (const [field, value] of Object.entries(given)) {
      expect(editedVariableFields(stored, { [field]: value })).toEqual({
        ...stored,
        [field]: value,
      });
    }
  });

  it('clears what may be null', () => {
    for (const field of ['description', 'unit', 'classificationType', 'folderId']) {
      expect(editedVariableFields(stored, { [field]: null })).toEqual({ ...stored, [field]: null });
    }
  });
});
