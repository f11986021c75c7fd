import { ActionIcon, Group, Tooltip, useComputedColorScheme } from '@mantine/core';
import type { RefObject } from 'react';
import type uPlot from 'uplot';
import { SURFACES } from '../design/index.ts';
import { IconFileTypeCsv, IconPhoto } from '../icons/index.ts';
import { useCall } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { copyOrSave, notify, notifyFailure } from '../ui/index.ts';
import { chartCsv, chartPng } from './export.ts';
import type { Line } from './histories.ts';
import type { LivePlot } from './live-plot.ts';
import type { Range } from './range.ts';

const words = strings.charts;

interface Props {
  readonly lines: readonly Line[];
  readonly data: uPlot.AlignedData;
  readonly range: Range;
  readonly live: RefObject<LivePlot | null>;
  /** Whether the newest readings may be missing. */
  readonly isIncomplete: boolean;
}

/** Buttons that copy the chart as CSV and as an image, once it has readings. */
export function ChartCopy({ lines, data, range, live, isIncomplete }: Props) {
  const call = useCall();
  const isEmpty = data[0].length === 0;
  const isDark = useComputedColorScheme('light') === 'dark';
  const take = async (name: string, content: () => Promise<Blob> | null) => {
    try {
      const made = await content();
      if (!made) return;
      const how = await copyOrSave(name, made);
      notify(isIncomplete ? `${words[how]}. ${words.incomplete}` : words[how]);
    } catch (error) {
      notifyFailure(error);
    }
  };
  const csv = async () => {
    const deviceIds = [...new Set(lines.map(({ variable }) => variable.deviceId))];
    const devices = await Promise.all(
      deviceIds.map(async (deviceId) => await call('retrieveDevice', { deviceId })),
    );
    const names = new Map(devices.map(({ id, name }) => [id, name]));
    return new Blob([chartCsv(lines, data, range, names)], { type: 'text/plain' });
  };
  const png = () => {
    const plot = live.current?.plot;
    return plot ? chartPng(plot, SURFACES[isDark ? 'dark' : 'light'].surface) : null;
  };
  return (
    <Group gap={2} wrap="nowrap">
      <Tooltip label={words.csv}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.csv}
          disabled={isEmpty}
          onClick={() => void take('chart.csv', csv)}
        >
          <IconFileTypeCsv size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.png}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.png}
          disabled={isEmpty}
          onClick={() => void take('chart.png', png)}
        >
          <IconPhoto size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
