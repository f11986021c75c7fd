import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconFileTypeCsv, IconPhoto } from '@tabler/icons-react';
import { strings } from '../strings/index.ts';
import { copyOrSave, tell, tellFailure } from '../ui/index.ts';

const words = strings.charts;

interface Given {
  readonly csv: () => string;
  readonly png: () => Promise<Blob> | null;
}

/** Takes what the chart shows elsewhere. */
export function ChartCopy({ csv, png }: Given) {
  const take = async (name: string, content: Promise<Blob> | null) => {
    if (!content) return;
    try {
      const how = await copyOrSave(name, await content);
      tell(words[how]);
    } catch (error) {
      tellFailure(error);
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
