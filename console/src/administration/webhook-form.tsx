import {
  WEBHOOK_FORMAT_FIELDS,
  WEBHOOK_FORMAT_URLS,
  WEBHOOK_FORMATS,
  WEBHOOK_PLACEHOLDERS,
  type WebhookFormat,
  type WebhookTemplate,
} from '@fieldwatch/contract';
import { PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useEdited, useWrite, type Webhook } from '../service/index.ts';
import { webhookFormats as formatWords, strings } from '../strings/index.ts';
import { FormBody, type ServerForm, useServerForm } from '../ui/index.ts';

const words = strings.administration.webhooks;

const NEW_URL = 'https://';
const PRESET_URLS: readonly string[] = [NEW_URL, ...Object.values(WEBHOOK_FORMAT_URLS)];
const SIGNED: readonly WebhookFormat[] = ['STANDARD', 'CLOUDEVENTS', 'TEMPLATE'];
const NEW_TEMPLATE: WebhookTemplate = {
  contentType: 'application/json',
  body: '{"title": "{{title}}", "text": "{{text}}", "link": "{{link}}"}',
};
const PLACEHOLDERS = WEBHOOK_PLACEHOLDERS.map((name) => `{{${name}}}`).join(' ');

function valuesOf(webhook: Webhook | null) {
  return {
    name: webhook?.name ?? '',
    url: webhook?.url ?? NEW_URL,
    isActive: webhook?.isActive ?? true,
    format: webhook?.format ?? ('STANDARD' as WebhookFormat),
    destination: webhook?.destination ?? '',
    credential: '',
    template: webhook?.template ?? NEW_TEMPLATE,
  };
}

type Values = ReturnType<typeof valuesOf>;

/** Fields that the format does not have are removed; an empty credential keeps the stored one. */
function bodyOf({ destination, credential, template, ...fields }: Values) {
  const uses = WEBHOOK_FORMAT_FIELDS[fields.format];
  const isSet = uses.destination !== 'UNUSED' && destination !== '';
  return {
    ...fields,
    destination: isSet ? destination : null,
    template: uses.template === 'UNUSED' ? null : template,
    ...(uses.credential === 'UNUSED' || credential === '' ? {} : { credential }),
  };
}

interface FormProps {
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
}

export function WebhookForm({ webhook, onClose, onSecret }: FormProps) {
  const create = useWrite('createWebhook');
  const update = useWrite('updateWebhook');
  const serverForm = useServerForm<Values>({
    initialValues: valuesOf(webhook),
    edited: useEdited('retrieveWebhook', webhook && { webhookId: webhook.id }, valuesOf),
    send: async (values, ifMatch) => {
      const body = bodyOf(values);
      if (webhook) await update.mutateAsync({ webhookId: webhook.id, body, ifMatch });
      else {
        const { secret } = await create.mutateAsync({ body });
        // A service of others does not verify signatures.
        if (SIGNED.includes(body.format)) onSecret(secret);
      }
    },
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm}>
      <TextInput label={words.name} data-autofocus {...form.getInputProps('name')} />
      <FormatChoice form={form} />
      <TextInput label={words.url} type="url" {...form.getInputProps('url')} />
      <FormatFields form={form} hasCredential={webhook?.hasCredential ?? false} />
      <Switch label={words.active} {...form.getInputProps('isActive', { type: 'checkbox' })} />
    </FormBody>
  );
}

type Form = ServerForm<Values>['form'];

/** A service with one URL for everybody brings it along. */
function FormatChoice({ form }: { form: Form }) {
  const { format, url } = form.values;
  return (
    <Select
      label={formatWords.format}
      description={formatWords.formats[format].hint}
      data={WEBHOOK_FORMATS.map((value) => ({ value, label: formatWords.formats[value].label }))}
      allowDeselect={false}
      {...form.getInputProps('format')}
      onChange={(chosen) => {
        const next = WEBHOOK_FORMATS.find((each) => each === chosen) ?? 'STANDARD';
        form.setFieldValue('format', next);
        if (PRESET_URLS.includes(url)) {
          form.setFieldValue('url', WEBHOOK_FORMAT_URLS[next] ?? NEW_URL);
        }
      }}
    />
  );
}

function FormatFields({ form, hasCredential }: { form: Form; hasCredential: boolean }) {
  const { format } = form.values;
  const { destination, credential } = formatWords.formats[format];
  return (
    <>
      {destination === undefined ? null : (
        <TextInput label={destination} {...form.getInputProps('destination')} />
      )}
      {credential === undefined ? null : (
        <PasswordInput
          label={credential}
          description={hasCredential ? formatWords.credentialHint : undefined}
          autoComplete="new-password"
          {...form.getInputProps('credential')}
        />
      )}
      {format === 'TEMPLATE' ? <TemplateFields form={form} /> : null}
    </>
  );
}

function TemplateFields({ form }: { form: Form }) {
  return (
    <>
      <Select
        label={formatWords.contentType}
        data={Object.entries(formatWords.contentTypes).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        {...form.getInputProps('template.contentType')}
      />
      <Textarea
        label={formatWords.body}
        description={formatWords.bodyHint(PLACEHOLDERS)}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        {...form.getInputProps('template.body')}
      />
    </>
  );
}
