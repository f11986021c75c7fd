import { isKnown, settingsOf, type Widget } from '../widget.ts';
import { EquipmentWidget } from './equipment-widget.tsx';
import { HistoryWidget } from './history-widgets.tsx';
import { ImageWidget } from './image-widget.tsx';
import { AlarmListWidget, AssetTableWidget, TextWidget, UnknownWidget } from './list-widgets.tsx';
import { MapWidget } from './map-widget.tsx';
import { BarWidget, TableWidget } from './several-widgets.tsx';
import { GaugeWidget, SparklineWidget, ValueWidget } from './value-widgets.tsx';

/** The content of a widget, by its type. */
export function WidgetBody({ widget }: { widget: Widget }) {
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
      return <HistoryWidget settings={settings} rows={h} />;
    case 'ALARM_LIST':
      return <AlarmListWidget settings={settings} />;
    case 'ASSET_TABLE':
      return <AssetTableWidget settings={settings} />;
    case 'MAP':
      return <MapWidget settings={settings} />;
    case 'TEXT':
      return <TextWidget settings={settings} />;
    case 'SPARKLINE':
      return <SparklineWidget settings={settings} />;
    case 'BAR':
      return <BarWidget settings={settings} />;
    case 'TABLE':
      return <TableWidget settings={settings} />;
    case 'IMAGE':
      return <ImageWidget settings={settings} />;
    case 'GENERATOR':
    case 'TRANSFER_SWITCH':
    case 'TANK':
      return <EquipmentWidget type={type} settings={settings} />;
  }
}
