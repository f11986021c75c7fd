import { useState } from 'react';
import { IconLink, IconSend } from '../icons/index.ts';
import type { PhoneChannel } from '../service/index.ts';
import { strings, phoneChannels as words } from '../strings/index.ts';
import { type Column, createdColumn, StateBadge, useBulkActions, useList } from '../ui/index.ts';
import { PhoneChannelForm } from './phone-channel-form.tsx';
import { ReplyAddress } from './phone-channel-reports.tsx';
import { PhoneChannelTest } from './phone-channel-test.tsx';
import { RecordList, useListFilters } from './record-list.tsx';

const kindOf = ({ kind }: PhoneChannel) => words.kinds[kind];
const stateOf = ({ isActive }: PhoneChannel) => (isActive ? words.enabled : words.disabled);

const columns: readonly Column<PhoneChannel>[] = [
  { head: words.name, cell: ({ name }) => name, sortKey: 'NAME', value: ({ name }) => name },
  { head: words.kind, cell: kindOf, sortKey: 'KIND', value: kindOf },
  {
    head: words.state,
    cell: (channel) => (
      <StateBadge tone={channel.isActive ? 'good' : 'plain'}>{stateOf(channel)}</StateBadge>
    ),
    sortKey: 'STATE',
    value: stateOf,
  },
  createdColumn,
];

/** Services that send texts to telephones or call them. */
export function PhoneChannels() {
  const { position, inputOf, ...filters } = useListFilters();
  const { activation } = useBulkActions();
  const list = useList({
    name: 'phone-channels',
    operation: 'listPhoneChannels',
    inputOf,
    columns,
    ...position,
  });
  const [tested, setTested] = useState<PhoneChannel | null>(null);
  const [addressed, setAddressed] = useState<PhoneChannel | null>(null);
  return (
    <>
      <RecordList
        label={strings.administration.tabs['phone-channels']}
        resource="PhoneChannel"
        words={words}
        icon={<IconSend />}
        list={list}
        filters={filters}
        nameOf={({ name }) => name}
        form={(channel, close) => <PhoneChannelForm channel={channel} onClose={close} />}
        deletion="deletePhoneChannel"
        deletedBy={({ id }) => ({ channelId: id })}
        bulkActions={activation('updatePhoneChannel', ({ id }: PhoneChannel, body) => ({
          channelId: id,
          body,
        }))}
        moreActions={(channel) => [
          { label: words.test, icon: <IconSend size={16} />, act: () => setTested(channel) },
          ...(channel.replies === null
            ? []
            : [
                {
                  label: words.replyAddress,
                  icon: <IconLink size={16} />,
                  act: () => setAddressed(channel),
                },
              ]),
        ]}
      />
      {tested ? <PhoneChannelTest channel={tested} onClose={() => setTested(null)} /> : null}
      {addressed ? <ReplyAddress channel={addressed} onClose={() => setAddressed(null)} /> : null}
    </>
  );
}
