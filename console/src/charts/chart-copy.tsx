import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconFileTypeCsv, IconPhoto } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { copyOrSave, notify, notifyFailure } from '../ui/index.ts';

const words = strings.charts;

interface Props {
  readonly csv: () => string;
  readonly png: () => Promise<Blob> | null;
  /** Whether the newest readings may be missing. */
  readonly isIncomplete: boolean;
}

/** Buttons that copy the chart as CSV and as an image. */
export function ChartCopy({ csv, png, isIncomplete }: Props) {
  const take = async (name: string, content: Promise<Blob> | null) => {
    if (!content) return;
    try {
      const how = await copyOrSave(name, await content);
      notify(isIncomplete ? `${words[how]}. ${words.incomplete}` : words[how]);
    } catch (error) {
      notifyFailure(error);
    }
  };
  const text = () => Promise.resolve(new Blob([csv()], { type: 'text/plain' }));
  return (
    <Group gap={2} wrap="nowrap">
      <Tooltip label={words.csv}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.csv}
          onClick={() => void take('chart.csv', text())}
        >
          <IconFileTypeCsv size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.png}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.png}
          onClick={() => void take('chart.png', png())}
        >
          <IconPhoto size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
