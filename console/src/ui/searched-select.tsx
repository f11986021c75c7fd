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
  /** What the service finds for what is typed. */
  readonly useOptions: (search: string) => readonly Option[];
  /** The one that is chosen, which the service need not find again. */
  readonly chosen: Option | null;
}

/** Chooses one of more records than fit a list: the service searches as one types. */
export function SearchedSelect({ useOptions, chosen, ...rest }: SearchedSelectProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const options = useOptions(search === chosen?.label ? '' : search);
  const isThere = options.some(({ value }) => value === chosen?.value);
  const data = chosen && !isThere ? [chosen, ...options] : [...options];
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
