import { describe, expect, it } from 'vitest';
import { worseBelow } from './asset-events.ts';

const asset = (id: string) => ({ id, variables: [] });
const on = (id: string, severity: 'CRITICAL' | 'LOW') => ({
  severity,
  assetIds: [id],
  deviceVariableId: `variable of ${id}`,
});

describe('an Asset whose Assets are not shown', () => {
  const below = [asset('Fan'), asset('Pump')];
  const worse = (...events: readonly ReturnType<typeof on>[]) =>
    worseBelow(asset('Generator'), below, events);

  it('has the most severe alarm below it', () => {
    expect(worse(on('Pump', 'CRITICAL'), on('Fan', 'LOW'))).toBe('CRITICAL');
  });

  it('has it beside a less severe alarm of its own', () => {
    expect(worse(on('Fan', 'CRITICAL'), on('Generator', 'LOW'))).toBe('CRITICAL');
  });

  it('has none where its own alarm is as severe, and where other Assets are in alarm', () => {
    expect(worse(on('Generator', 'LOW'), on('Fan', 'LOW'))).toBeNull();
    expect(worse(on('Generator', 'CRITICAL'), on('Fan', 'LOW'))).toBeNull();
    expect(worse(on('Feeder', 'CRITICAL'))).toBeNull();
  });
});
