import { PAGE_GROUPINGS, type StepEnd } from '@fieldwatch/contract';
import {
  Alert,
  Button,
  Fieldset,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type Reply, useEdited, useWrite } from '../service/index.ts';
import { policies as words } from '../strings/index.ts';
import { FormBody, useFormList, useServerForm } from '../ui/index.ts';
import { targetOf, targetText, useTargets } from './escalation-targets.ts';

type Policy = Reply<'retrieveEscalationPolicy'>;

const SECONDS_PER_MINUTE = 60;

/** As the fields have them: in minutes, and each target as a text. */
interface StepValues {
  minutes: number;
  targets: string[];
  unless: StepEnd;
}

const newStep = (minutes: number): StepValues => ({ minutes, targets: [], unless: 'ACKNOWLEDGED' });

const stepValues = ({ afterSeconds, targets, unless }: Policy['steps'][number]): StepValues => ({
  minutes: afterSeconds / SECONDS_PER_MINUTE,
  targets: targets.map(targetText),
  unless,
});

function valuesOf(policy: Policy | null) {
  return {
    name: policy?.name ?? '',
    repeat: policy?.repeat ?? 1,
    groupBy: policy?.groupBy ?? ('LOCATION' as const),
    steps: policy?.steps.map(stepValues) ?? [newStep(0)],
  };
}

type Values = ReturnType<typeof valuesOf>;

const bodyOf = ({ steps, ...fields }: Values) => ({
  ...fields,
  steps: steps.map(({ minutes, targets, unless }) => ({
    afterSeconds: Math.round(minutes * SECONDS_PER_MINUTE),
    targets: targets.map(targetOf),
    unless,
  })),
});

interface Props {
  readonly policy: Policy | null;
  readonly onClose: () => void;
}

export function EscalationPolicyForm({ policy, onClose }: Props) {
  const create = useWrite('createEscalationPolicy');
  const update = useWrite('updateEscalationPolicy');
  const policyId = policy?.id ?? '';
  const serverForm = useServerForm({
    initialValues: valuesOf(policy),
    edited: useEdited('retrieveEscalationPolicy', policy && { policyId }, valuesOf),
    send: async (values, ifMatch) => {
      const body = bodyOf(values);
      if (policy) await update.mutateAsync({ policyId, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      {[...new Set(policy?.warnings.map(({ message }) => message))].map((message) => (
        <Alert key={message} color="orange" p="xs">
          {message}
        </Alert>
      ))}
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <Steps form={form} />
      <NumberInput label={words.repeat} min={0} max={9} {...form.getInputProps('repeat')} />
      <Select
        label={words.groupBy}
        allowDeselect={false}
        data={PAGE_GROUPINGS.map((value) => ({ value, label: words.groupings[value] }))}
        {...form.getInputProps('groupBy')}
      />
    </FormBody>
  );
}

function Steps({ form }: { form: UseFormReturnType<Values> }) {
  const data = useTargets();
  const steps = useFormList(form, 'steps', form.values.steps.length);
  return (
    <Stack gap="xs">
      {steps.keys.map((key, index) => (
        <Fieldset key={key} legend={words.step(index + 1)}>
          <Stack gap="xs">
            <NumberInput
              label={index === 0 ? words.afterStart : words.after}
              min={0}
              max={1440}
              {...form.getInputProps(`steps.${index}.minutes`)}
            />
            <MultiSelect
              label={words.targets}
              data={data}
              searchable
              {...form.getInputProps(`steps.${index}.targets`)}
            />
            {steps.keys.length > 1 ? (
              <Button
                variant="subtle"
                color="red"
                size="compact-sm"
                style={{ alignSelf: 'flex-start' }}
                onClick={() => steps.remove(index)}
              >
                {words.removeStep(index + 1)}
              </Button>
            ) : null}
          </Stack>
        </Fieldset>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => steps.insert(newStep(5))}
      >
        {words.addStep}
      </Button>
    </Stack>
  );
}
