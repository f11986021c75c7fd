import { Button, Menu } from '@mantine/core';
import { fixedLink, type Range } from '../charts/index.ts';
import { IconLink } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { copyOrSave, notify, notifyFailure } from '../ui/index.ts';

const words = strings.charts.link;

interface Props {
  readonly range: Range;
  /** Whether the range has a start and an end, so that the address is the link. */
  readonly isFixed: boolean;
}

/** Copies the address of exactly this view, at these times or following the clock. */
export function LinkMenu({ range, isFixed }: Props) {
  const copy = async (link: string) => {
    try {
      const how = await copyOrSave('link.txt', new Blob([link], { type: 'text/plain' }));
      notify(strings.charts[how]);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          px={8}
          variant="subtle"
          color="gray"
          aria-label={words.title}
          title={words.title}
        >
          <IconLink size={16} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.title}</Menu.Label>
        {isFixed ? null : (
          <Menu.Item onClick={() => void copy(window.location.href)}>{words.moving}</Menu.Item>
        )}
        <Menu.Item onClick={() => void copy(fixedLink(window.location.href, range))}>
          {words.fixed}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
