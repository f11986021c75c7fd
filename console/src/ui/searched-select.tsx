import { type ComboboxItem, Select, type SelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { strings } from '../strings/index.ts';
import { countText } from './format.ts';
import classes from './searched-select.module.css';

const TYPING_PAUSE_MS = 200;
/** The value of the last line of a list that is cut; no record has it as its id. */
const CUT = 'cut';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** A second line that describes the record. */
  readonly detail?: string;
}

/** The options that the server finds for a search. */
export interface FoundOptions {
  readonly options: readonly Option[];
  /** How many there are in all. */
  readonly count: number;
  /** While the options of this search are on their way; those of an earlier one may be here. */
  readonly isPending: boolean;
}

export interface SearchedSelectProps
  extends Omit<SelectProps, 'data' | 'searchValue' | 'onSearchChange' | 'value'> {
  readonly value: string | null;
  readonly useOptions: (search: string) => FoundOptions;
  /** The selected option, which the current search may not include. */
  readonly selected: Option | null;
}

/**
 * A select for more records than fit a list: the server searches while the user types. Options of
 * an earlier search stay in view, so that the list does not flicker, but cannot be taken: the list
 * would change under the user's hand.
 */
export function SearchedSelect({ useOptions, selected, ...rest }: SearchedSelectProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const isSearch = search !== selected?.label;
  const { options, count, isPending } = useOptions(isSearch ? search : '');
  const isOutdated = isPending || text !== search;
  const isFound = options.some(({ value }) => value === selected?.value);
  const all = selected && !isFound ? [selected, ...options] : [...options];
  const details = new Map(all.map(({ value, detail }) => [value, detail]));
  const note = { value: CUT, label: cutText(options.length, count), disabled: true };
  return (
    <Select
      nothingFoundMessage={isPending ? strings.ui.loading : strings.ui.noMatch}
      classNames={{ option: classes.option ?? '' }}
      {...rest}
      data={[
        ...all.map(({ value, label }) => ({ value, label, disabled: isOutdated })),
        ...(count > options.length ? [note] : []),
      ]}
      searchable
      searchValue={text}
      onSearchChange={setText}
      // The selected record is among the data for its label, but not a result of another search.
      filter={({ options: given }) =>
        given.filter((each) => isFound || !isSearch || !isOption(each, selected?.value))
      }
      renderOption={({ option, checked }) => (
        <Line option={option} detail={details.get(option.value)} isChecked={checked ?? false} />
      )}
    />
  );
}

/** What a list that is cut says below its last option. */
export function cutText(shown: number, count: number): string {
  return strings.ui.cut(countText(shown), countText(count));
}

function isOption(item: object, value: string | undefined): boolean {
  return 'value' in item && item.value === value;
}

interface LineProps {
  readonly option: ComboboxItem;
  readonly detail: string | undefined;
  readonly isChecked: boolean;
}

function Line({ option, detail, isChecked }: LineProps) {
  if (option.value === CUT) {
    return (
      <Text size="xs" c="dimmed" className={classes.note}>
        {option.label}
      </Text>
    );
  }
  return (
    <div className={classes.label}>
      <Text size="sm" fw={isChecked ? 600 : 400}>
        {option.label}
      </Text>
      {detail ? (
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      ) : null}
    </div>
  );
}
