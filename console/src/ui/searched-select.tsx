import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

const TYPING_PAUSE_MS = 200;

export interface Option {
  readonly value: string;
  readonly label: string;
}

export interface SearchedSelectProps
  extends Omit<SelectProps, 'data' | 'searchValue' | 'onSearchChange' | 'value'> {
  readonly value: string | null;
  /** The options that the server finds for a search. */
  readonly useOptions: (search: string) => readonly Option[];
  /** The selected option, which the current search may not include. */
  readonly selected: Option | null;
}

/** A select for more records than fit a list: the server searches while the user types. */
export function SearchedSelect({ useOptions, selected, ...rest }: SearchedSelectProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const options = useOptions(search === selected?.label ? '' : search);
  const isThere = options.some(({ value }) => value === selected?.value);
  const data = selected && !isThere ? [selected, ...options] : [...options];
  return (
    <Select
      {...rest}
      data={data}
      searchable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options: all }) => all}
      maxDropdownHeight={260}
    />
  );
}
