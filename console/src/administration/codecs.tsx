import { IconFlask } from '../icons/index.ts';
import type { ListedCodec } from '../service/index.ts';
import { strings, lorawan as texts } from '../strings/index.ts';
import { type Column, countText, createdColumn, useList } from '../ui/index.ts';
import { CodecForm } from './codec-form.tsx';
import { RecordList, useListFilters } from './record-list.tsx';

const words = texts.codecs;

const columns: readonly Column<ListedCodec>[] = [
  { head: words.name, cell: ({ name }) => name, sortKey: 'NAME', value: ({ name }) => name },
  {
    head: words.tests,
    cell: ({ testCount }) => countText(testCount),
    sortKey: 'TESTS',
    value: ({ testCount }) => testCount,
  },
  createdColumn,
];

/** Scripts that decode the payloads of LoRaWAN sensors. */
export function Codecs() {
  const { position, inputOf, ...filters } = useListFilters();
  const list = useList({ name: 'codecs', operation: 'listCodecs', inputOf, columns, ...position });
  return (
    <RecordList
      label={strings.administration.tabs.codecs}
      resource="Codec"
      words={words}
      icon={<IconFlask />}
      list={list}
      filters={filters}
      nameOf={({ name }) => name}
      form={(codec, close) => <CodecForm codecId={codec?.id ?? null} onClose={close} />}
      deletion="deleteCodec"
      deletedBy={({ id }) => ({ codecId: id })}
    />
  );
}
