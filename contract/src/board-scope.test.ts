import { describe, expect, it } from 'vitest';
import { type BoardAsset, resolvedWidgets } from './board-scope.ts';
import type { DashboardConfiguration } from './widgets.ts';

const RPM = 'ELECTRICAL_GENERATOR_RPM';
const FUEL = 'ELECTRICAL_GENERATOR_FUEL_LEVEL';
const area = { x: 0, y: 0, w: 2, h: 2 };

function generator(id: string): BoardAsset {
  const variables = [RPM, FUEL].map((classificationType) => ({
    id: `${id} ${classificationType}`,
    classificationType,
  }));
  return { id, classificationType: 'ELECTRICAL_GENERATOR', variables };
}

const widgets: DashboardConfiguration['widgets'] = [
  { id: 'a', type: 'VALUE', ...area, classificationType: RPM },
  { id: 'b', type: 'CHART', ...area, classificationTypes: [FUEL, RPM] },
  { id: 'c', type: 'ALARM_LIST', ...area },
  { id: 'd', type: 'TANK', ...area },
  { id: 'e', type: 'VALUE', ...area, variableId: 'of another Device' },
  { id: 'f', type: 'RADAR', ...area, classificationType: RPM },
];
const template: DashboardConfiguration = { version: 1, template: { kind: 'ASSET' }, widgets };

describe('the widgets of a template', () => {
  it('show the Variables and Assets of the chosen one, each by its classification', () => {
    const [value, chart, alarms, tank] = resolvedWidgets(template, [generator('G1')]);
    expect(value).toMatchObject({ variableId: `G1 ${RPM}` });
    expect(chart).toMatchObject({ variableIds: [`G1 ${FUEL}`, `G1 ${RPM}`] });
    expect(alarms).toMatchObject({ assetIds: ['G1'] });
    expect(tank).toMatchObject({ assetId: 'G1' });
  });

  it('show others after another choice, and all of a site with several', () => {
    const [value, chart, alarms] = resolvedWidgets(template, [generator('G2'), generator('G3')]);
    expect(value).toMatchObject({ variableId: `G2 ${RPM}` });
    expect(chart).toMatchObject({
      variableIds: [`G2 ${FUEL}`, `G3 ${FUEL}`, `G2 ${RPM}`, `G3 ${RPM}`],
    });
    expect(alarms).toMatchObject({ assetIds: ['G2', 'G3'] });
  });

  it('keep the records that they name themselves, and settings of unknown types', () => {
    const resolved = resolvedWidgets(template, [generator('G1')]);
    expect(resolved.slice(4)).toEqual(widgets.slice(4));
  });

  it('have no Variable where none has the classification', () => {
    const [value, chart] = resolvedWidgets(template, [
      { id: 'A', classificationType: 'GENERIC', variables: [] },
    ]);
    expect(value).toEqual(widgets[0]);
    expect(chart).toMatchObject({ variableIds: [] });
  });

  it('are those of the board where it is no template', () => {
    const board = { version: 1, widgets } as const;
    expect(resolvedWidgets(board, [generator('G1')])).toBe(widgets);
  });
});
