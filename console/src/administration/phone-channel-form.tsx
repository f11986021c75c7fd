import { PHONE_PLACEHOLDERS, PHONE_PRESETS, type PhonePreset } from '@fieldwatch/contract';
import { PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { type PhoneChannel, useEdited, useWrite } from '../service/index.ts';
import { webhookFormats, phoneChannels as words } from '../strings/index.ts';
import { CopyField, FormBody, type ServerForm, useServerForm } from '../ui/index.ts';
import { ReportFields } from './phone-channel-reports.tsx';
import { bodyOf, NEW_SETTINGS, settingsOf, type Values, valuesOf } from './phone-channel-values.ts';

const PLACEHOLDERS = PHONE_PLACEHOLDERS.map((name) => `{{${name}}}`).join(' ');

interface FormProps {
  readonly channel: PhoneChannel | null;
  readonly onClose: () => void;
}

export function PhoneChannelForm({ channel, onClose }: FormProps) {
  const create = useWrite('createPhoneChannel');
  const update = useWrite('updatePhoneChannel');
  const serverForm = useServerForm<Values>({
    initialValues: valuesOf(channel),
    edited: useEdited('retrievePhoneChannel', channel && { channelId: channel.id }, valuesOf),
    send: async (values, ifMatch) => {
      const body = bodyOf(values);
      if (channel) await update.mutateAsync({ channelId: channel.id, body, ifMatch });
      else await create.mutateAsync({ body });
    },
    onClose,
  });
  const { form } = serverForm;
  const hasCredential = channel?.hasCredential ?? false;
  return (
    <FormBody serverForm={serverForm}>
      {channel ? null : <PresetChoice form={form} />}
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <TextInput label={words.from} {...form.getInputProps('from')} />
      <PasswordInput
        label={words.credential}
        description={hasCredential ? words.keptCredentialHint : words.credentialHint}
        autoComplete="new-password"
        {...form.getInputProps('credential')}
      />
      <RequestFields form={form} />
      <ReportFields form={form} />
      {channel?.replyUrl ? <CopyField label={words.replyUrl} value={channel.replyUrl} /> : null}
      {channel?.receiptUrl ? (
        <CopyField label={words.receiptUrl} value={channel.receiptUrl} />
      ) : null}
      <Switch label={words.active} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormBody>
  );
}

type Form = ServerForm<Values>['form'];

function PresetChoice({ form }: { form: Form }) {
  const fill = (preset: PhonePreset | undefined) => {
    const { name } = form.values;
    const isPreset = name === '' || PHONE_PRESETS.some((each) => each.name === name);
    form.setValues({
      ...settingsOf(preset ?? NEW_SETTINGS),
      ...(isPreset ? { name: preset?.name ?? '' } : {}),
    });
  };
  return (
    <Select
      label={words.preset}
      description={words.presetHint}
      placeholder={words.ownService}
      data={PHONE_PRESETS.map(({ name }) => name)}
      clearable
      onChange={(chosen) => fill(PHONE_PRESETS.find(({ name }) => name === chosen))}
    />
  );
}

function RequestFields({ form }: { form: Form }) {
  const options = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <>
      <Select
        label={words.kind}
        data={options(words.kinds)}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
      <Select
        label={words.method}
        data={['POST', 'GET']}
        allowDeselect={false}
        {...form.getInputProps('method')}
      />
      <TextInput label={words.url} description={words.urlHint} {...form.getInputProps('url')} />
      {form.values.method === 'POST' ? (
        <>
          <Select
            label={words.contentType}
            data={options(webhookFormats.contentTypes)}
            allowDeselect={false}
            {...form.getInputProps('contentType')}
          />
          <Textarea
            label={words.body}
            description={words.bodyHint(PLACEHOLDERS)}
            autosize
            minRows={2}
            maxRows={8}
            spellCheck={false}
            {...form.getInputProps('body')}
          />
        </>
      ) : null}
      <Textarea
        label={words.headers}
        description={words.headersHint}
        autosize
        minRows={1}
        maxRows={5}
        spellCheck={false}
        {...form.getInputProps('headers')}
      />
      <TextInput
        label={words.successText}
        description={words.successTextHint}
        {...form.getInputProps('successText')}
      />
    </>
  );
}
