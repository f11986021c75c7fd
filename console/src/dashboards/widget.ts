import {
  ALARM_OPERATORS,
  SEVERITIES,
  type Severity,
  THRESHOLD_SOURCES,
  WIDGET_TYPES,
  type WidgetThreshold,
  type WidgetType,
} from '@fieldwatch/contract';
import type { Dashboard } from '../service/index.ts';
import { strings } from '../strings/index.ts';

export type Widget = Dashboard['configuration']['widgets'][number];

/** The initial size of a widget, in columns and rows. */
const SIZES: Readonly<Record<WidgetType, readonly [number, number]>> = {
  VALUE: [3, 2],
  GAUGE: [3, 3],
  CHART: [6, 5],
  STATE_TIMELINE: [6, 3],
  ALARM_LIST: [4, 5],
  ASSET_TABLE: [6, 4],
  MAP: [6, 6],
  TEXT: [3, 2],
  SPARKLINE: [3, 2],
  BAR: [4, 4],
  TABLE: [4, 4],
  IMAGE: [4, 4],
  GENERATOR: [6, 2],
  TRANSFER_SWITCH: [6, 2],
  TANK: [6, 2],
};

/** The settings of a widget, parsed. */
export interface Settings {
  readonly variableId: string | null;
  readonly variableIds: readonly string[];
  readonly assetIds: readonly string[];
  readonly severities: readonly Severity[];
  readonly classificationTypes: readonly string[];
  /** In a template, the classification that stands for the Variable. */
  readonly classificationType: string | null;
  /** A range of its own; otherwise the widget follows the board. */
  readonly rangeMs: number | undefined;
  readonly thresholdSource: (typeof THRESHOLD_SOURCES)[number];
  readonly thresholds: readonly WidgetThreshold[];
  readonly hasSparkline: boolean;
  /** The equipment of a state widget. */
  readonly assetId: string | null;
  readonly locationId: string | null;
  readonly url: string;
  readonly alternativeText: string;
  /** The limits of the scale, if set. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly decimals: number | undefined;
  /** The centre and zoom of a map, if set. */
  readonly centre: { readonly latitude: number; readonly longitude: number } | null;
  readonly zoom: number | undefined;
  readonly text: string;
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined);
const textIn = (value: unknown) => (typeof value === 'string' ? value : '');
const idIn = (value: unknown) => (typeof value === 'string' ? value : null);

function thresholdsIn(value: unknown): WidgetThreshold[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) => {
    const { operator, value: limit, severity } = Object(each) as Record<string, unknown>;
    const [one] = ALARM_OPERATORS.filter((known) => known === operator);
    const [degree] = SEVERITIES.filter((known) => known === severity);
    return one && degree && typeof limit === 'number'
      ? [{ operator: one, value: limit, severity: degree }]
      : [];
  });
}

/** Validates every setting, since another version of the console may have written it. */
export function settingsOf(widget: Widget): Settings {
  const latitude = numberIn(widget.latitude);
  const longitude = numberIn(widget.longitude);
  const rangeSeconds = numberIn(widget.rangeSeconds);
  return {
    variableId: idIn(widget.variableId),
    classificationType: idIn(widget.classificationType),
    thresholdSource:
      THRESHOLD_SOURCES.find((source) => source === widget.thresholdSource) ?? 'ALARMS',
    thresholds: thresholdsIn(widget.thresholds),
    hasSparkline: widget.sparkline === true,
    assetId: idIn(widget.assetId),
    locationId: idIn(widget.locationId),
    url: textIn(widget.url),
    alternativeText: textIn(widget.alternativeText),
    variableIds: texts(widget.variableIds),
    assetIds: texts(widget.assetIds),
    severities: texts(widget.severities) as Severity[],
    classificationTypes: texts(widget.classificationTypes),
    rangeMs: rangeSeconds === undefined ? undefined : rangeSeconds * 1_000,
    min: numberIn(widget.min),
    max: numberIn(widget.max),
    decimals: numberIn(widget.decimals),
    centre: latitude === undefined || longitude === undefined ? null : { latitude, longitude },
    zoom: numberIn(widget.zoom),
    text: textIn(widget.text),
  };
}

export function isKnown(type: string): type is WidgetType {
  return (WIDGET_TYPES as readonly string[]).includes(type);
}

/** The title of a widget, or else its type. */
export function nameOf({ title, type }: Widget): string {
  return title || (isKnown(type) ? strings.dashboards.types[type] : type);
}

/** The first row below all widgets. */
function below(widgets: readonly Widget[]): number {
  return Math.max(0, ...widgets.map(({ y, h }) => y + h));
}

function freeId(widgets: readonly Widget[]): string {
  const taken = new Set(widgets.map(({ id }) => id));
  let number = widgets.length + 1;
  while (taken.has(`w${number}`)) number += 1;
  return `w${number}`;
}

export function withNew(widgets: readonly Widget[], type: WidgetType): Widget[] {
  const [w, h] = SIZES[type];
  return [...widgets, { id: freeId(widgets), type, x: 0, y: below(widgets), w, h }];
}

export function withCopy(widgets: readonly Widget[], widget: Widget): Widget[] {
  return [...widgets, { ...widget, id: freeId(widgets), y: below(widgets) }];
}

/** Removes cleared settings from the widget; all others stay. */
export function withChange(widgets: readonly Widget[], id: string, change: object): Widget[] {
  const cleared = new Set(
    Object.entries(change).flatMap(([key, value]) =>
      value === undefined || value === '' || value === null ? [key] : [],
    ),
  );
  return widgets.map((widget) =>
    widget.id === id
      ? (Object.fromEntries(
          Object.entries({ ...widget, ...change }).filter(([key]) => !cleared.has(key)),
        ) as Widget)
      : widget,
  );
}

/** Reading order: row by row. */
export function inReadingOrder(widgets: readonly Widget[]): Widget[] {
  return widgets.toSorted((a, b) => a.y - b.y || a.x - b.x);
}
