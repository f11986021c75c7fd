import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';

describe('changed fields', () => {
  it('are those that differ', () => {
    expect(changedFields({ name: 'a', role: 'VIEWER' }, { name: 'b', role: 'VIEWER' })).toEqual([
      { field: 'name', from: 'a', to: 'b' },
    ]);
  });

  it('of something new come from null, of something deleted go to null', () => {
    expect(changedFields(undefined, { name: 'a' })).toEqual([
      { field: 'name', from: null, to: 'a' },
    ]);
    expect(changedFields({ name: 'a' }, undefined)).toEqual([
      { field: 'name', from: 'a', to: null },
    ]);
  });

  it('leave out what is null on both sides', () => {
    expect(changedFields({ a: null }, { a: undefined, b: null })).toEqual([]);
  });

  it('compare lists and objects by what they hold', () => {
    expect(
      changedFields(
        { list: ['a', 'b'], object: { x: 1, y: 2 } },
        { list: ['a', 'b'], object: { y: 2, x: 1 } },
      ),
    ).toEqual([]);
    expect(changedFields({ list: ['a', 'b'] }, { list: ['b', 'a'] })).toHaveLength(1);
    expect(changedFields({ value: [] }, { value: {} })).toHaveLength(1);
    expect(changedFields({ value: 0 }, { value: false })).toHaveLength(1);
  });

  it('leave out the time of the edit itself', () => {
    expect(changedFields({ updatedDateTime: 'a' }, { updatedDateTime: 'b' })).toEqual([]);
  });

  it('mask secrets at any depth, and still record that they changed', () => {
    const before = { password: 'one', configuration: { appKey: 'one', devEui: 'x' } };
    const after = { password: 'two', configuration: { appKey: 'two', devEui: 'x' } };
    expect(changedFields(before, after)).toEqual([
      { field: 'password', from: '***', to: '***' },
      {
        field: 'configuration',
        from: { appKey: '***', devEui: 'x' },
        to: { appKey: '***', devEui: 'x' },
      },
    ]);
    expect(changedFields(undefined, { list: [{ secret: 'one' }] })).toEqual([
      { field: 'list', from: null, to: [{ secret: '***' }] },
    ]);
  });

  it('never show what stands under the name of a secret', () => {
    const names = fc.constantFrom('password', 'secret', 'secretHash', 'refreshToken', 'appKey');
    const wrap = fc.constantFrom(
      (inner: object) => inner,
      (inner: object) => ({ deep: [inner] }),
      (inner: object) => ({ deep: { deeper: inner } }),
    );
    fc.assert(
      fc.property(names, wrap, (name, wrapped) => {
        const after = wrapped({ [name]: 'canary-value' }) as Record<string, unknown>;
        expect(JSON.stringify(changedFields(undefined, after))).not.toContain('canary-value');
      }),
    );
  });

  it('stay small when the values are large', () => {
    const [change] = changedFields(undefined, { text: 'x'.repeat(100_000) });
    expect(change?.to).toBe('(100002 characters, too long to keep here)');
  });
});
