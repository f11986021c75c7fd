import { CLASSIFIED_ASSET_TYPES } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, catalogueMatching } from './catalogue.ts';

const everything = { search: '', assetTypes: [] };
const typesOf = (found: readonly { classificationType: string }[]) =>
  found.map(({ classificationType }) => classificationType);

describe('the catalogue of classifications', () => {
  it('names each of them once', () => {
    expect(new Set(typesOf(CATALOGUE)).size).toBe(CATALOGUE.length);
    const names = CATALOGUE.map((each) => `${each.assetClassificationType} ${each.name}`);
    expect(new Set(names).size).toBe(CATALOGUE.length);
  });

  it('uses names and units that a Variable can have', () => {
    for (const each of CATALOGUE) {
      expect(each.classificationType).toMatch(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
      expect(each.classificationType.length).toBeLessThanOrEqual(100);
      expect([...each.name].length, each.name).toBeGreaterThanOrEqual(2);
      expect([...(each.unit ?? 'x')].length, each.classificationType).toBeLessThanOrEqual(9);
      expect(each.type === 'NUMBER' || each.unit === null, each.classificationType).toBe(true);
    }
  });

  it('begins each with the kind of Asset that it belongs to, and covers all four', () => {
    for (const { classificationType, assetClassificationType } of CATALOGUE) {
      expect(classificationType.startsWith(`${assetClassificationType}_`)).toBe(true);
    }
    expect(new Set(CATALOGUE.map((each) => each.assetClassificationType))).toEqual(
      new Set(CLASSIFIED_ASSET_TYPES),
    );
  });

  it('holds what the interface gives as examples', () => {
    expect(typesOf(CATALOGUE)).toEqual(
      expect.arrayContaining(['ELECTRICAL_GENERATOR_KW', 'ELECTRICAL_ATS_NORMAL_POSITION']),
    );
  });
});

describe('a search in the catalogue', () => {
  it('that asks for nothing finds everything, in its order', () => {
    expect(catalogueMatching(everything)).toEqual(CATALOGUE);
  });

  it('looks at the name and at the classification, in any case', () => {
    const byName = typesOf(catalogueMatching({ ...everything, search: 'oIL pressure' }));
    expect(byName).toEqual([
      'ELECTRICAL_GENERATOR_OIL_PRESSURE',
      'ELECTRICAL_GENERATOR_LOW_OIL_PRESSURE',
    ]);
    const byType = typesOf(catalogueMatching({ ...everything, search: 'ats_normal_pos' }));
    expect(byType).toEqual(['ELECTRICAL_ATS_NORMAL_POSITION']);
    expect(catalogueMatching({ ...everything, search: '.*' })).toEqual([]);
  });

  it('keeps to the kinds of Assets that were given', () => {
    const kinds = (assetTypes: string[]) => [
      ...new Set(
        catalogueMatching({ ...everything, assetTypes }).map(
          (each) => each.assetClassificationType,
        ),
      ),
    ];
    expect(kinds(['ELECTRICAL_ATS'])).toEqual(['ELECTRICAL_ATS']);
    expect(kinds(['ELECTRICAL_FEEDER', 'ELECTRICAL_UTILITY'])).toEqual([
      'ELECTRICAL_UTILITY',
      'ELECTRICAL_FEEDER',
    ]);
    expect(kinds(['GENERIC'])).toEqual([]);
  });
});
