import type { DashboardConfiguration, DashboardWidget } from './widgets.ts';

type Widget = DashboardWidget;

/** An Asset with the Variables that are bound to it. */
export interface BoardAsset {
  readonly id: string;
  readonly classificationType: string;
  readonly variables: readonly {
    readonly id: string;
    readonly classificationType: string | null;
  }[];
}

/** The classes of Assets that state widgets show. A tank is that of a generator, or a generic one. */
export const EQUIPMENT_TYPES = {
  GENERATOR: ['ELECTRICAL_GENERATOR'],
  TRANSFER_SWITCH: ['ELECTRICAL_ATS'],
  TANK: ['ELECTRICAL_GENERATOR', 'GENERIC'],
} as const;

export type EquipmentWidgetType = keyof typeof EQUIPMENT_TYPES;

export function isEquipmentWidget(type: string): type is EquipmentWidgetType {
  return Object.hasOwn(EQUIPMENT_TYPES, type);
}

/** Variables of a tank have classifications that end in one of these. */
const TANK_CLASSIFICATION = /_(FUEL|TANK|OIL|WATER)_LEVEL(_|$)/;

export function isTankLevel(classificationType: string | null): boolean {
  return classificationType !== null && TANK_CLASSIFICATION.test(classificationType);
}

/** The Asset that a state widget shows, among those of its site. */
export function equipmentOf<A extends BoardAsset>(
  type: EquipmentWidgetType,
  assets: readonly A[],
): A | undefined {
  const types: readonly string[] = EQUIPMENT_TYPES[type];
  const candidates = assets.filter(({ classificationType }) => types.includes(classificationType));
  if (type !== 'TANK') return candidates[0];
  return candidates.find(({ variables }) =>
    variables.some((variable) => isTankLevel(variable.classificationType)),
  );
}

const MAX_VARIABLES = 20;
const MAX_ASSETS = 200;
/** Widgets of several Variables, which a template names by their classifications. */
const OF_SEVERAL: ReadonlySet<string> = new Set(['CHART', 'STATE_TIMELINE', 'BAR', 'TABLE']);
const OF_ONE: ReadonlySet<string> = new Set(['VALUE', 'GAUGE', 'SPARKLINE']);
const OF_ASSETS: ReadonlySet<string> = new Set(['ALARM_LIST', 'ASSET_TABLE', 'MAP']);

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
const textIn = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/**
 * The widgets of a template with the ids of the chosen site or Asset in place of classifications.
 * Settings that name records themselves stay. The widgets of other boards are returned as they are.
 */
export function resolvedWidgets(
  { template, widgets }: DashboardConfiguration,
  chosen: readonly BoardAsset[],
): Widget[] {
  if (!template) return widgets;
  const variables = chosen.flatMap((asset) => asset.variables);
  const idsOf = (wanted: readonly string[]) =>
    wanted.flatMap((one) =>
      variables.filter(({ classificationType }) => classificationType === one).map(({ id }) => id),
    );
  return widgets.map((widget): Widget => {
    const { type } = widget;
    if (OF_ONE.has(type) && widget.variableId === undefined) {
      const [variableId] = idsOf(textIn(widget.classificationType));
      return variableId === undefined ? widget : { ...widget, variableId };
    }
    if (OF_SEVERAL.has(type) && textsIn(widget.variableIds).length === 0) {
      const found = new Set(idsOf(textsIn(widget.classificationTypes)));
      return { ...widget, variableIds: [...found].slice(0, MAX_VARIABLES) };
    }
    if (OF_ASSETS.has(type) && textsIn(widget.assetIds).length === 0) {
      return { ...widget, assetIds: chosen.map(({ id }) => id).slice(0, MAX_ASSETS) };
    }
    if (
      isEquipmentWidget(type) &&
      widget.assetId === undefined &&
      widget.locationId === undefined
    ) {
      const asset = equipmentOf(type, chosen);
      return asset ? { ...widget, assetId: asset.id } : widget;
    }
    return widget;
  });
}

/** The records that widgets name, each once. Settings of unknown widget types name none. */
export interface BoardReferences {
  readonly variableIds: readonly string[];
  readonly assetIds: readonly string[];
  /** Sites of state widgets, whose equipment is found there. */
  readonly locationIds: readonly string[];
}

export function referencesOf(widgets: readonly Widget[]): BoardReferences {
  const variableIds = new Set<string>();
  const assetIds = new Set<string>();
  const locationIds = new Set<string>();
  const add = (to: Set<string>, ids: readonly string[]) => {
    for (const id of ids) to.add(id.toLowerCase());
  };
  for (const widget of widgets) {
    const { type } = widget;
    if (OF_ONE.has(type)) add(variableIds, textIn(widget.variableId));
    if (OF_SEVERAL.has(type) || type === 'ALARM_LIST') {
      add(variableIds, textsIn(widget.variableIds));
    }
    if (OF_ASSETS.has(type)) add(assetIds, textsIn(widget.assetIds));
    if (isEquipmentWidget(type)) {
      add(assetIds, textIn(widget.assetId));
      // The Asset decides where both are named.
      if (widget.assetId === undefined) add(locationIds, textIn(widget.locationId));
    }
  }
  return {
    variableIds: [...variableIds],
    assetIds: [...assetIds],
    locationIds: [...locationIds],
  };
}
