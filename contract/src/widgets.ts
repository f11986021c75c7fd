import Type, { type Static, type TSchema } from 'typebox';
import { SEVERITIES } from './alarms.ts';
import { documentErrors } from './json-document.ts';
import type { FieldError } from './problem.ts';
import { Id, oneOf, text } from './schema.ts';
import { classificationType } from './variables.ts';

export const WIDGET_TYPES = [
  'VALUE',
  'GAUGE',
  'CHART',
  'STATE_TIMELINE',
  'ALARM_LIST',
  'ASSET_TABLE',
  'MAP',
  'TEXT',
] as const;

export type WidgetType = (typeof WIDGET_TYPES)[number];

/** The width of a Dashboard's grid. */
export const GRID_COLUMNS = 12;
const MAX_WIDGETS = 200;
const MAX_CONFIGURATION_KIBIBYTES = 256;

const LEAP_YEAR_SECONDS = 366 * 24 * 60 * 60;

const ids = (maxItems: number) => Type.Array(Id, { uniqueItems: true, maxItems });

const decimals = Type.Integer({ minimum: 0, maximum: 10 });
const rangeSeconds = Type.Integer({
  minimum: 60,
  maximum: LEAP_YEAR_SECONDS,
  description: 'The time range of the widget, up to now',
});

/** What each type of widget may be told. A draft may be unfinished, so none of it is required. */
const SETTINGS: Readonly<Record<WidgetType, Readonly<Record<string, TSchema>>>> = {
  VALUE: { variableId: Id, decimals },
  GAUGE: { variableId: Id, min: Type.Number(), max: Type.Number(), decimals },
  CHART: { variableIds: ids(20), rangeSeconds, min: Type.Number(), max: Type.Number(), decimals },
  STATE_TIMELINE: { variableIds: ids(20), rangeSeconds },
  ALARM_LIST: {
    variableIds: ids(200),
    assetIds: ids(200),
    severities: Type.Array(oneOf(SEVERITIES), { uniqueItems: true }),
  },
  ASSET_TABLE: {
    assetIds: ids(200),
    classificationTypes: Type.Array(classificationType, {
      uniqueItems: true,
      maxItems: 20,
      description: 'The columns: Variables of these classifications',
    }),
  },
  MAP: {
    assetIds: ids(200),
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    zoom: Type.Number({ minimum: 0, maximum: 22 }),
  },
  TEXT: { text: text(0, 10_000) },
};

const Positioned = Type.Object({
  id: text(1, 100, 'Unique within the Dashboard'),
  type: text(1, 100, `One of ${WIDGET_TYPES.join(', ')}; others are kept as they are`),
  title: Type.Optional(text(0, 100)),
  x: Type.Integer({ minimum: 0, maximum: GRID_COLUMNS - 1 }),
  y: Type.Integer({ minimum: 0, maximum: 10_000 }),
  w: Type.Integer({ minimum: 1, maximum: GRID_COLUMNS }),
  h: Type.Integer({ minimum: 1, maximum: 100 }),
});

/**
 * Settings are checked where the type is known. Types and settings that are not known are kept, so
 * that what a newer console saved survives a server that does not know it yet.
 */
export const DashboardWidget = Type.Unsafe<
  Static<typeof Positioned> & { readonly [setting: string]: unknown }
>({
  ...Positioned,
  allOf: WIDGET_TYPES.map((type) => ({
    if: { type: 'object', properties: { type: { const: type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: 'object', properties: SETTINGS[type] },
  })),
});

export const DashboardConfiguration = Type.Object(
  {
    version: Type.Literal(1),
    widgets: Type.Array(DashboardWidget, { maxItems: MAX_WIDGETS }),
  },
  { description: `At most ${MAX_CONFIGURATION_KIBIBYTES} KiB as compact JSON in UTF-8` },
);

export type DashboardConfiguration = Static<typeof DashboardConfiguration>;

/** What no schema can tell of a configuration, which may be anything. */
export function configurationErrors(path: string, configuration: unknown): FieldError[] {
  const widgets: unknown = Object(configuration).widgets;
  return [
    ...documentErrors(path, configuration, MAX_CONFIGURATION_KIBIBYTES),
    ...(Array.isArray(widgets) ? widgetErrors(`${path}.widgets`, widgets) : []),
  ];
}

function widgetErrors(path: string, widgets: readonly unknown[]): FieldError[] {
  const errors: FieldError[] = [];
  const firstWithId = new Map<unknown, number>();
  for (const [index, widget] of widgets.entries()) {
    const { id, type, x, w, min, max } = Object(widget) as Record<string, unknown>;
    const at = `${path}[${index}]`;
    const first = firstWithId.get(id);
    if (first === undefined) firstWithId.set(id, index);
    else if (id !== undefined) {
      errors.push({ path: `${at}.id`, message: `is the id of widgets[${first}] too` });
    }
    if (typeof x === 'number' && typeof w === 'number' && x + w > GRID_COLUMNS) {
      errors.push({ path: `${at}.w`, message: `must end within the ${GRID_COLUMNS} columns` });
    }
    const isScaled = type === 'GAUGE' || type === 'CHART';
    if (isScaled && typeof min === 'number' && typeof max === 'number' && min >= max) {
      errors.push({ path: `${at}.max`, message: 'must be more than min' });
    }
  }
  return errors;
}
