import { isKnown, settingsOf, type Widget } from '../widget.ts';
import { HistoryWidget } from './history-widgets.tsx';
import { AlarmListWidget, AssetTableWidget, TextWidget, UnknownWidget } from './list-widgets.tsx';
import { MapWidget } from './map-widget.tsx';
import { GaugeWidget, ValueWidget } from './value-widgets.tsx';

/** The content of a widget, by its type. */
export function WidgetBody({ widget, refreshMs }: { widget: Widget; refreshMs: number }) {
  const { type, h } = widget;
  if (!isKnown(type)) return <UnknownWidget type={type} />;
  const settings = settingsOf(widget);
  switch (type) {
    case 'VALUE':
      return <ValueWidget settings={settings} />;
    case 'GAUGE':
      return <GaugeWidget settings={settings} />;
    case 'CHART':
    case 'STATE_TIMELINE':
      return <HistoryWidget settings={settings} rows={h} refreshMs={refreshMs} />;
    case 'ALARM_LIST':
      return <AlarmListWidget settings={settings} />;
    case 'ASSET_TABLE':
      return <AssetTableWidget settings={settings} />;
    case 'MAP':
      return <MapWidget settings={settings} />;
    case 'TEXT':
      return <TextWidget settings={settings} />;
  }
}
