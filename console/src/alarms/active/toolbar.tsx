import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { Button, MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '../../icons/index.ts';
import { strings } from '../../strings/index.ts';
import { Filters, SavedViews, SearchField } from '../../ui/index.ts';
import {
  ACKNOWLEDGEMENTS,
  type AlarmFilters,
  ASSIGNED,
  filterCount,
  GROUPINGS,
  SHELVED,
} from './filters.ts';
import classes from './toolbar.module.css';

const words = strings.activeAlarms;

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface Props {
  readonly filters: AlarmFilters;
  readonly onChange: (change: Partial<AlarmFilters>) => void;
  /** Sites and Devices of the active alarms. */
  readonly sites: readonly Choice[];
  readonly devices: readonly Choice[];
}

/** Search, layout and views; the filters are behind a button on a phone. */
export function Toolbar(props: Props) {
  const { filters, onChange } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const count = filterCount(filters);
  return (
    <Filters>
      <SearchField
        label={words.search}
        value={filters.search ?? ''}
        onChange={(search) => onChange({ search })}
      />
      <Button
        variant="default"
        className={classes.toggle ?? ''}
        leftSection={<IconFilter size={16} aria-hidden />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {count > 0 ? words.filtersSet(count) : words.filters}
      </Button>
      <div className={classes.filters} data-open={isOpen || undefined}>
        <FilterFields {...props} />
      </div>
      <SegmentedControl
        aria-label={words.grouping.label}
        data={GROUPINGS.map((value) => ({ value, label: words.grouping[value] }))}
        value={filters.grouping ?? 'site'}
        onChange={(value) => onChange({ grouping: value === 'flat' ? 'flat' : undefined })}
      />
      <SavedViews page="active-alarms" />
    </Filters>
  );
}

function FilterFields({ filters, onChange, sites, devices }: Props) {
  const { severities = [], acknowledgement, assigned, shelved } = filters;
  return (
    <>
      <MultiSelect
        aria-label={words.severity}
        placeholder={severities.length > 0 ? '' : words.severity}
        data={SEVERITIES.toReversed().map((value) => ({ value, label: strings.severities[value] }))}
        value={[...severities]}
        onChange={(next) => onChange({ severities: next as Severity[] })}
        clearable
        className={classes.field ?? ''}
      />
      <ManySelect
        label={words.site}
        choices={sites}
        value={filters.sites ?? []}
        onChange={(next) => onChange({ sites: next })}
      />
      <ManySelect
        label={words.device}
        choices={devices}
        value={filters.devices ?? []}
        onChange={(next) => onChange({ devices: next })}
      />
      <OneSelect
        label={words.acknowledgement.label}
        choices={ACKNOWLEDGEMENTS.map((value) => ({ value, label: words.acknowledgement[value] }))}
        value={acknowledgement}
        onChange={(next) => onChange({ acknowledgement: next as AlarmFilters['acknowledgement'] })}
      />
      <OneSelect
        label={words.assigned.label}
        choices={ASSIGNED.map((value) => ({ value, label: words.assigned[value] }))}
        value={assigned}
        onChange={(next) => onChange({ assigned: next as AlarmFilters['assigned'] })}
      />
      <OneSelect
        label={words.shelved.label}
        choices={SHELVED.map((value) => ({ value, label: words.shelved[value] }))}
        value={shelved}
        onChange={(next) => onChange({ shelved: next as AlarmFilters['shelved'] })}
      />
    </>
  );
}

interface ManyProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}

function ManySelect({ label, choices, value, onChange }: ManyProps) {
  return (
    <MultiSelect
      aria-label={label}
      placeholder={value.length > 0 ? '' : label}
      data={[...choices]}
      value={[...value]}
      onChange={onChange}
      searchable
      clearable
      limit={100}
      nothingFoundMessage={strings.ui.noMatch}
      className={classes.field ?? ''}
    />
  );
}

interface OneProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function OneSelect({ label, choices, value, onChange }: OneProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...choices]}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      clearable
      className={classes.field ?? ''}
    />
  );
}
