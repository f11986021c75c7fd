import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconX } from '../icons/index.ts';
import { localText, nowMs } from '../runtime/index.ts';
import { useSession } from '../session/index.ts';
import { rotas as words } from '../strings/index.ts';
import { useFormList } from '../ui/index.ts';
import type { PersonOption, RotaForm } from './rota-values.ts';

const HOUR_MS = 60 * 60_000;
const TAKEOVER_HOURS = 12;

interface Props {
  readonly form: RotaForm;
  readonly people: PersonOption[];
}

/** Times in which somebody else is on call, whatever the layers say. */
export function RotaOverrides({ form, people }: Props) {
  const { me } = useSession();
  const isListed = people.some(({ value }) => value === me.id);
  const list = useFormList(form, 'overrides', form.values.overrides.length);
  const takeOver = () => {
    const next = Math.ceil(nowMs() / HOUR_MS) * HOUR_MS;
    list.insert({
      userId: isListed ? me.id : null,
      fromDateTime: localText(next),
      toDateTime: localText(next + TAKEOVER_HOURS * HOUR_MS),
    });
  };
  return (
    <Fieldset legend={words.overrides}>
      <Stack gap="xs">
        {list.keys.length === 0 ? (
          <Text size="sm" c="dimmed">
            {words.noOverrides}
          </Text>
        ) : null}
        {list.keys.map((key, index) => (
          <OverrideFields
            key={key}
            {...{ form, people, index }}
            onRemove={() => list.remove(index)}
          />
        ))}
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={takeOver}
        >
          {words.takeOver}
        </Button>
      </Stack>
    </Fieldset>
  );
}

interface OverrideProps extends Props {
  readonly index: number;
  readonly onRemove: () => void;
}

function OverrideFields({ form, people, index, onRemove }: OverrideProps) {
  const field = (name: string) => form.getInputProps(`overrides.${index}.${name}`);
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Select
          label={words.overrideUser}
          searchable
          allowDeselect={false}
          style={{ flex: 1 }}
          data={people}
          {...field('userId')}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={words.removeOverride(index + 1)}
          onClick={onRemove}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs">
        <TextInput type="datetime-local" label={words.overrideFrom} {...field('fromDateTime')} />
        <TextInput type="datetime-local" label={words.overrideTo} {...field('toDateTime')} />
      </SimpleGrid>
    </Stack>
  );
}
