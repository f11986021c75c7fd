import { SEVERITIES } from '@fieldwatch/contract';
import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconX } from '../icons/index.ts';
import { type Reply, useEdited, useRead, useWrite } from '../service/index.ts';
import { contacts, strings, rules as words } from '../strings/index.ts';
import {
  FormBody,
  Loaded,
  Panel,
  timeZone,
  UnsavedChanges,
  useFormList,
  useServerForm,
} from '../ui/index.ts';
import { useContactMethods } from './contact-panel.tsx';
import { QuietFields } from './quiet-fields.tsx';
import { bodyOf, type RulesForm, type RuleValues, valuesOf } from './rule-values.ts';

type Rules = Reply<'retrieveNotificationRules'>;
type Method = Reply<'listContactMethods'>['items'][number];

/** The most that a user can have. */
const MAX_MINUTES = 1_440;

/** When the user is contacted by what, by severity, and when not. */
export function RulesPanel() {
  const query = useRead('retrieveNotificationRules', {});
  return (
    <Panel title={words.title}>
      <Text size="sm" c="dimmed" mb="sm">
        {words.about}
      </Text>
      <Loaded query={query}>{(rules) => <RulesFields rules={rules} />}</Loaded>
    </Panel>
  );
}

function RulesFields({ rules }: { rules: Rules }) {
  const update = useWrite('updateNotificationRules');
  const methods = useContactMethods().data?.items ?? [];
  const serverForm = useServerForm<RuleValues>({
    initialValues: valuesOf(rules, timeZone),
    edited: useEdited('retrieveNotificationRules', {}, (stored) => valuesOf(stored, timeZone)),
    send: (values, ifMatch) => update.mutateAsync({ body: bodyOf(values), ifMatch }),
  });
  const { form } = serverForm;
  const bands = useFormList(form, 'bands', form.values.bands.length);
  return (
    <FormBody serverForm={serverForm}>
      {bands.keys.length === 0 ? <Text size="sm">{words.none}</Text> : null}
      {bands.keys.map((key, index) => (
        <BandFields key={key} {...{ form, index, methods }} onRemove={() => bands.remove(index)} />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        disabled={bands.keys.length >= SEVERITIES.length}
        onClick={() => bands.insert(newBand(form.values, methods))}
      >
        {words.add}
      </Button>
      <Title order={3} size="h6" mt="xs">
        {words.quiet}
      </Title>
      <QuietFields form={form} />
      <UnsavedChanges isChanged={form.isDirty()} />
    </FormBody>
  );
}

/** For the severities that no rule has yet, gravest first, by the first contact method. */
function newBand({ bands }: RuleValues, methods: readonly Method[]): RuleValues['bands'][number] {
  const taken = new Set(bands.flatMap(({ severities }) => severities));
  const [severity] = SEVERITIES.toReversed().filter((each) => !taken.has(each));
  return {
    severities: severity ? [severity] : [],
    steps: methods.slice(0, 1).map(({ id }) => ({ contactMethodId: id, minutes: 0 })),
  };
}

interface BandProps {
  readonly form: RulesForm;
  readonly index: number;
  readonly methods: readonly Method[];
  readonly onRemove: () => void;
}

function BandFields({ form, index, methods, onRemove }: BandProps) {
  const path = `bands.${index}`;
  const count = form.values.bands[index]?.steps.length ?? 0;
  const steps = useFormList(form, `${path}.steps`, count);
  return (
    <Fieldset legend={words.rule(index + 1)}>
      <Stack gap="xs">
        <MultiSelect
          label={words.severities}
          data={SEVERITIES.toReversed().map((value) => ({
            value,
            label: strings.severities[value],
          }))}
          {...form.getInputProps(`${path}.severities`)}
        />
        {count === 0 ? (
          <Text size="sm" c={form.errors[`${path}.steps`] ? 'red' : 'dimmed'}>
            {form.errors[`${path}.steps`] ?? words.noSteps}
          </Text>
        ) : null}
        {steps.keys.map((key, step) => (
          <StepFields
            key={key}
            {...{ form, index, step, methods }}
            onRemove={() => steps.remove(step)}
          />
        ))}
        <Group gap="xs">
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={methods.length === 0}
            onClick={() => steps.insert({ contactMethodId: null, minutes: 0 })}
          >
            {words.addStep}
          </Button>
          <Button variant="subtle" color="red" size="compact-sm" onClick={onRemove}>
            {words.remove(index + 1)}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function StepFields({
  form,
  index,
  step,
  methods,
  onRemove,
}: BandProps & { readonly step: number }) {
  const path = `bands.${index}.steps.${step}`;
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label={words.method}
        allowDeselect={false}
        style={{ flex: '1 1 220px' }}
        data={methods.map(({ id, kind, address }) => ({
          value: id,
          label: address.includes('-')
            ? contacts.kinds[kind]
            : `${contacts.kinds[kind]} ${address}`,
        }))}
        {...form.getInputProps(`${path}.contactMethodId`)}
      />
      <NumberInput
        label={words.after}
        min={0}
        max={MAX_MINUTES}
        style={{ flex: '0 1 130px' }}
        {...form.getInputProps(`${path}.minutes`)}
        error={form.errors[`${path}.afterSeconds`]}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={words.removeStep(step + 1)}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
