import Type, { type Static, type TSchema } from 'typebox';
import { ALARM_OPERATORS, SEVERITIES } from './alarms.ts';
import { ASSET_TYPES } from './assets.ts';
import { documentErrors } from './json-document.ts';
import type { FieldError } from './problem.ts';
import { closed, Id, oneOf, text } from './schema.ts';
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
  'SPARKLINE',
  'BAR',
  'TABLE',
  'IMAGE',
  'GENERATOR',
  'TRANSFER_SWITCH',
  'TANK',
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

/** Where a value or a gauge takes its colours from; the enabled Alarms of the Variable by default. */
export const THRESHOLD_SOURCES = ['ALARMS', 'OWN', 'NONE'] as const;

const MAX_THRESHOLDS = 10;
const MAX_IMAGE_CHARACTERS = 100_000;

/** Over TLS, or the picture itself: nothing that a page could run. */
const IMAGE_URL = '^(https://[^\\s]+|data:image/(png|jpeg|gif|webp|svg\\+xml)[;,][^\\s]*)$';

export const WidgetThreshold = Type.Object(
  { operator: oneOf(ALARM_OPERATORS), value: Type.Number(), severity: oneOf(SEVERITIES) },
  closed,
);

export type WidgetThreshold = Static<typeof WidgetThreshold>;

const classificationTypes = (description: string) =>
  Type.Array(classificationType, { uniqueItems: true, maxItems: 20, description });

/** One Variable; in a template by its classification, among those of the chosen site or Asset. */
const variable = { variableId: Id, classificationType };
const variables = {
  variableIds: ids(20),
  classificationTypes: classificationTypes('In a template: Variables of these classifications'),
};
const thresholds = {
  thresholdSource: oneOf(THRESHOLD_SOURCES),
  thresholds: Type.Array(WidgetThreshold, { maxItems: MAX_THRESHOLDS }),
};
const scale = { min: Type.Number(), max: Type.Number() };
/** The equipment of a state widget; in a template that of the chosen site or Asset. */
const equipment = { assetId: Id, locationId: Id };

/** The settings of each type of widget. A draft may be unfinished, so none of them is required. */
const SETTINGS: Readonly<Record<WidgetType, Readonly<Record<string, TSchema>>>> = {
  VALUE: { ...variable, decimals, ...thresholds, sparkline: Type.Boolean(), rangeSeconds },
  GAUGE: { ...variable, ...scale, decimals, ...thresholds },
  CHART: { ...variables, rangeSeconds, ...scale, decimals },
  STATE_TIMELINE: { ...variables, rangeSeconds },
  ALARM_LIST: {
    variableIds: ids(200),
    assetIds: ids(200),
    severities: Type.Array(oneOf(SEVERITIES), { uniqueItems: true }),
  },
  ASSET_TABLE: {
    assetIds: ids(200),
    classificationTypes: classificationTypes('The columns: Variables of these classifications'),
  },
  MAP: {
    assetIds: ids(200),
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    zoom: Type.Number({ minimum: 0, maximum: 22 }),
  },
  TEXT: { text: text(0, 10_000) },
  SPARKLINE: { ...variable, decimals, rangeSeconds },
  BAR: { ...variables, ...scale, decimals, ...thresholds },
  TABLE: { ...variables, decimals },
  IMAGE: {
    url: Type.String({
      maxLength: MAX_IMAGE_CHARACTERS,
      pattern: IMAGE_URL,
      'x-messages': { pattern: 'must be an https URL or a data URL of a picture' },
    }),
    alternativeText: text(0, 500),
  },
  GENERATOR: equipment,
  TRANSFER_SWITCH: equipment,
  TANK: equipment,
};

/** One board for many: it shows the site or the Asset that is chosen on it. */
export const DashboardTemplate = Type.Object({
  kind: oneOf(['LOCATION', 'ASSET']),
  assetType: Type.Optional(oneOf(ASSET_TYPES)),
});

export type DashboardTemplate = Static<typeof DashboardTemplate>;

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

export type DashboardWidget = Static<typeof DashboardWidget>;

export const DashboardConfiguration = Type.Object(
  {
    version: Type.Literal(1),
    widgets: Type.Array(DashboardWidget, { maxItems: MAX_WIDGETS }),
    template: Type.Optional(DashboardTemplate),
    rangeSeconds: Type.Optional({
      ...rangeSeconds,
      description: 'The time range of widgets without a range of their own, up to now',
    }),
  },
  { description: `At most ${MAX_CONFIGURATION_KIBIBYTES} KiB as compact JSON in UTF-8` },
);

export type DashboardConfiguration = Static<typeof DashboardConfiguration>;

/** Rules that no schema can express of a configuration, which may be anything. */
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
    const isScaled = type === 'GAUGE' || type === 'CHART' || type === 'BAR';
    if (isScaled && typeof min === 'number' && typeof max === 'number' && min >= max) {
      errors.push({ path: `${at}.max`, message: 'must be more than min' });
    }
  }
  return errors;
}
