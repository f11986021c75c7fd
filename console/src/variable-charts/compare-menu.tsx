import { Button, Menu } from '@mantine/core';
import { type ChartView, COMPARISONS } from '../charts/index.ts';
import { IconCheck, IconHistory } from '../icons/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.charts.compare;

interface Props {
  readonly view: ChartView;
  readonly onChange: (view: ChartView) => void;
}

/** Selects the earlier range that the chart also shows. */
export function CompareMenu({ view, onChange }: Props) {
  const { compare } = view;
  const current = compare ? words[compare] : words.none;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          px={8}
          variant={compare ? 'light' : 'subtle'}
          {...(compare ? {} : { color: 'gray' })}
          aria-label={`${words.title}: ${current}`}
          title={`${words.title}: ${current}`}
        >
          <IconHistory size={16} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.title}</Menu.Label>
        {[undefined, ...COMPARISONS].map((each) => (
          <Menu.Item
            key={each ?? 'none'}
            leftSection={<IconCheck size={14} aria-hidden opacity={each === compare ? 1 : 0} />}
            onClick={() => onChange({ ...view, compare: each })}
          >
            {each ? words[each] : words.none}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
