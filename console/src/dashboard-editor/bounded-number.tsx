import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { strings } from '../strings/index.ts';
import { boundsErrors } from '../ui/index.ts';

interface Props {
  readonly label: string;
  readonly value: number | undefined;
  readonly min?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
  readonly placeholder?: string;
  /** Whether the field may be empty, which `onChange` reports as undefined. */
  readonly isOptional?: boolean;
  readonly onChange: (value: number | undefined) => void;
}

/**
 * A number field that keeps what was typed. Input outside the bounds is refused with a message beside
 * the field, and the widget keeps its last good value.
 */
export function BoundedNumber(props: Props) {
  const { label, value, min = Number.NEGATIVE_INFINITY, max, placeholder, onChange } = props;
  const [typed, setTyped] = useState<number | string | null>(null);
  const shown = typed ?? value ?? '';
  const errorOf = (input: number | string): string | undefined => {
    if (input === '') return props.isOptional ? undefined : strings.ui.required;
    const bounds = max === undefined ? { min } : { min, max };
    return boundsErrors({ input }, { input: bounds }).input;
  };
  return (
    <NumberInput
      label={label}
      placeholder={placeholder ?? ''}
      value={shown}
      clampBehavior="none"
      allowDecimal={!props.isInteger}
      error={errorOf(shown)}
      onChange={(next) => {
        const isGood = errorOf(next) === undefined;
        setTyped(isGood ? null : next);
        if (isGood) onChange(next === '' ? undefined : Number(next));
      }}
    />
  );
}
