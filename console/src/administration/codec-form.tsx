import { Button, Code, Group, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Codec, type Reply, useCall, useEdited, useRead, useWrite } from '../service/index.ts';
import { lorawan } from '../strings/index.ts';
import { FormBody, Loaded, notifyFailure, useFormList, useServerForm } from '../ui/index.ts';

const words = lorawan.codecs;

const valuesOf = (codec: Codec | null) => ({
  name: codec?.name ?? '',
  script: codec?.script ?? words.example,
  tests: codec?.tests ?? [],
});

interface FormProps {
  readonly codecId: string | null;
  readonly onClose: () => void;
}

/** The list has no scripts: the form of a stored codec loads its own. */
export function CodecForm({ codecId, onClose }: FormProps) {
  return codecId === null ? (
    <LoadedForm codec={null} onClose={onClose} />
  ) : (
    <StoredForm codecId={codecId} onClose={onClose} />
  );
}

function StoredForm({ codecId, onClose }: { codecId: string; onClose: () => void }) {
  const query = useRead('retrieveCodec', { codecId });
  return <Loaded query={query}>{(codec) => <LoadedForm codec={codec} onClose={onClose} />}</Loaded>;
}

function LoadedForm({ codec, onClose }: { codec: Codec | null; onClose: () => void }) {
  const create = useWrite('createCodec');
  const update = useWrite('updateCodec');
  const serverForm = useServerForm({
    initialValues: valuesOf(codec),
    edited: useEdited('retrieveCodec', codec && { codecId: codec.id }, valuesOf),
    send: async (body, ifMatch) => {
      if (codec) await update.mutateAsync({ codecId: codec.id, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  const { script, tests } = form.getValues();
  const list = useFormList(form, 'tests', tests.length);
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label={words.script}
        description={words.scriptHint}
        autosize
        minRows={8}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('script')}
      />
      {codec ? (
        <Trial codecId={codec.id} script={script} onKeep={list.insert} />
      ) : (
        <Text size="sm" c="dimmed">
          {words.saveFirst}
        </Text>
      )}
      <Tests
        tests={tests}
        errorOf={(index) => form.errors[`tests[${index}].expected`]}
        keys={list.keys}
        onRemove={list.remove}
      />
    </FormBody>
  );
}

interface TrialProps {
  readonly codecId: string;
  readonly script: string;
  readonly onKeep: (test: Codec['tests'][number]) => void;
}

/** Bytes in, values out, with the script as it stands. */
function Trial({ codecId, script, onKeep }: TrialProps) {
  const call = useCall();
  const [bytesHex, setBytesHex] = useState('');
  const [fPort, setFPort] = useState<number | string>(1);
  const [result, setResult] = useState<Reply<'tryCodec'> | null>(null);
  const given = { bytesHex: bytesHex.replaceAll(/\s/g, ''), fPort: Number(fPort) };
  const decode = async () => {
    try {
      setResult(await call('tryCodec', { codecId, body: { ...given, script } }));
    } catch (error) {
      notifyFailure(error);
    }
  };
  const { data = null } = result ?? {};
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <TextInput
          label={words.bytes}
          value={bytesHex}
          onChange={({ currentTarget }) => setBytesHex(currentTarget.value)}
          // On a phone it has a line of its own.
          style={{ flex: '1 1 14rem' }}
        />
        <NumberInput
          label={words.port}
          value={fPort}
          onChange={setFPort}
          min={0}
          max={255}
          w={90}
        />
        <Button variant="default" onClick={() => void decode()}>
          {words.decode}
        </Button>
      </Group>
      {result ? (
        <Stack gap="xs" role="status" aria-label={words.result}>
          <Code block>{outputText(result)}</Code>
          <Group justify="space-between">
            <Text size="xs" c="dimmed">
              {words.duration(result.durationMs)}
            </Text>
            {data ? (
              <Button
                variant="default"
                size="xs"
                onClick={() => onKeep({ ...given, expected: data })}
              >
                {words.keep}
              </Button>
            ) : null}
          </Group>
        </Stack>
      ) : null}
    </Stack>
  );
}

function outputText({ data, errors, warnings, console }: Reply<'tryCodec'>): string {
  const values = data === null ? [] : [JSON.stringify(data, null, 2)];
  return [...errors, ...warnings, ...values, ...console].join('\n');
}

interface TestsProps {
  readonly tests: Codec['tests'];
  readonly keys: readonly number[];
  readonly errorOf: (index: number) => React.ReactNode;
  readonly onRemove: (index: number) => void;
}

function Tests({ tests, keys, errorOf, onRemove }: TestsProps) {
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {words.tests}
      </Text>
      <Text size="xs" c="dimmed">
        {tests.length === 0 ? words.noTests : words.kept}
      </Text>
      {tests.map(({ fPort, bytesHex, expected }, index) => (
        <Group key={keys[index]} justify="space-between" wrap="nowrap" align="flex-start">
          <Stack gap={2} style={{ minWidth: 0 }}>
            <Code style={{ overflowWrap: 'anywhere' }}>
              {`${fPort}: ${bytesHex} → ${JSON.stringify(expected)}`}
            </Code>
            {errorOf(index) ? (
              <Text size="xs" c="red">
                {errorOf(index)}
              </Text>
            ) : null}
          </Stack>
          <Button variant="subtle" size="xs" onClick={() => onRemove(index)}>
            {words.removeTest(index + 1)}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}
