import { Tooltip } from '@mantine/core';
import { IconBroadcast, IconPlugConnectedX, IconRefresh } from '../icons/index.ts';
import { useLiveState } from '../live/index.ts';
import { strings } from '../strings/index.ts';
import { StateBadge } from '../ui/index.ts';

const words = strings.app.live;

/** The state of the live connection. */
export function ConnectionState() {
  const state = useLiveState();
  const about = state === 'live' ? words.liveAbout : words.lostAbout;
  const icons = {
    live: <IconBroadcast aria-hidden />,
    connecting: <IconRefresh aria-hidden />,
    lost: <IconPlugConnectedX aria-hidden />,
  };
  const tones = { live: 'good', connecting: 'plain', lost: 'bad' } as const;
  return (
    <Tooltip label={about}>
      <span role="status" data-live={state}>
        <StateBadge tone={tones[state]} icon={icons[state]}>
          {words[state]}
        </StateBadge>
      </span>
    </Tooltip>
  );
}
