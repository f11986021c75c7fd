import { describe, expect, it } from 'vitest';
import { inOrderOfReferences } from './catalogue.ts';

const table = (name: string) => ({ name, columns: ['id'] });

describe('the order of tables in a backup', () => {
  it('has each table after those that it refers to', () => {
    const tables = ['alarms', 'devices', 'organizations', 'variables'].map(table);
    const dependencies = [
      { from: 'alarms', to: 'variables' },
      { from: 'variables', to: 'devices' },
      { from: 'devices', to: 'organizations' },
      { from: 'alarms', to: 'organizations' },
    ];
    const names = inOrderOfReferences(tables, dependencies).map(({ name }) => name);
    expect(names).toEqual(['organizations', 'devices', 'variables', 'alarms']);
  });

  it('cannot be had where tables refer to each other', () => {
    const dependencies = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ];
    expect(() => inOrderOfReferences([table('a'), table('b')], dependencies)).toThrow(
      'a, b refer to each other',
    );
  });
});
