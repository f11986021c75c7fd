import { useElementSize } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { WatchedChart } from '../../variable-charts/index.ts';
import { useBoardView } from '../board-view.tsx';
import type { Settings } from '../widget.ts';
import { useWidgetRange } from '../widget-range.ts';
import { useShownVariables } from './several-widgets.tsx';
import classes from './widgets.module.css';

const GAP_PX = 10;
/** The usual height of a chart's title, legend and edges, until they are measured. */
const AROUND_PX = 80;
const MIN_HEIGHT_PX = 120;
export const ROW_PX = 48;

/** The height with which a chart and its legend, whose names take any number of lines, fill the widget. */
function useFilledHeight(rows: number) {
  const frame = useElementSize();
  const content = useElementSize();
  const [height, setHeight] = useState(rows * (ROW_PX + GAP_PX) - GAP_PX - AROUND_PX);
  useEffect(() => {
    if (frame.height === 0 || content.height === 0) return;
    const missingPx = frame.height - content.height;
    setHeight((before) =>
      Math.max(MIN_HEIGHT_PX, Math.min(frame.height, Math.floor(before + missingPx))),
    );
  }, [frame.height, content.height]);
  return { frameRef: frame.ref, contentRef: content.ref, height: Math.max(MIN_HEIGHT_PX, height) };
}

interface Props {
  readonly settings: Settings;
  readonly rows: number;
}

/** Lines and stripes over the range of the widget or of the board. Live values are added between two reads. */
export function HistoryWidget({ settings, rows }: Props) {
  const { variables, instead } = useShownVariables(settings);
  const range = useWidgetRange(settings.rangeMs);
  const { onZoom } = useBoardView();
  const { frameRef, contentRef, height } = useFilledHeight(rows);
  if (instead) return instead;
  return (
    <div ref={frameRef} className={classes.filled}>
      <div ref={contentRef}>
        <WatchedChart
          variables={variables}
          range={range}
          {...(onZoom && settings.rangeMs === undefined ? { onZoom } : {})}
          height={height}
          bounds={settings}
        />
      </div>
    </div>
  );
}
