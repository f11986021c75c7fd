import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Dashboard, type Reply, useRead, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  ConfirmOperation,
  CopyField,
  Dialog,
  FormBody,
  Loaded,
  Timestamp,
  useServerForm,
} from '../ui/index.ts';
import { useTemplateTargets } from './template.ts';

const words = strings.dashboards.share;

type Issued = Reply<'createShareLink'>;
type ShareLink = Reply<'listShareLinks'>['items'][number];
type Template = Dashboard['configuration']['template'] | undefined;

interface Props {
  readonly dashboardId: string;
  readonly isPublished: boolean;
  readonly template: Template;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Creates, lists and revokes links that show the published version to anyone who has them. */
export function ShareDialog({ dashboardId, isPublished, template, isOpen, onClose }: Props) {
  const [issued, setIssued] = useState<Issued | null>(null);
  const close = () => {
    setIssued(null);
    onClose();
  };
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={close} size="lg">
      <Stack gap="md">
        <Text size="sm">
          {words.about} {words.limits}
        </Text>
        {issued ? (
          <Alert color="teal" title={words.created(issued.name)}>
            <Stack gap="xs">
              <Text size="sm">{words.once}</Text>
              <CopyField label={words.link} value={linkOf(issued.secret)} />
            </Stack>
          </Alert>
        ) : null}
        {isPublished ? (
          <ShareForm
            key={issued?.id}
            dashboardId={dashboardId}
            template={template}
            onIssued={setIssued}
          />
        ) : (
          <Alert color="gray">{words.publishFirst}</Alert>
        )}
        <ShareLinks dashboardId={dashboardId} isOpen={isOpen} />
      </Stack>
    </Dialog>
  );
}

/** Browsers do not send the fragment, so no server and no proxy logs the secret. */
function linkOf(secret: string): string {
  return `${window.location.origin}/shared#${secret}`;
}

interface FormProps {
  readonly dashboardId: string;
  readonly template: Template;
  readonly onIssued: (issued: Issued) => void;
}

function ShareForm({ dashboardId, template, onIssued }: FormProps) {
  const create = useWrite('createShareLink');
  const targets = useTemplateTargets(template);
  const serverForm = useServerForm({
    initialValues: { name: '', expires: '', target: '' },
    send: async ({ name, expires, target }) => {
      const expiresDateTime = expires === '' ? null : new Date(expires).toISOString();
      const field = targets?.kind === 'ASSET' ? 'assetId' : 'locationId';
      const chosen = targets && target !== '' ? { [field]: target } : {};
      const body = { name, expiresDateTime, ...chosen };
      onIssued(await create.mutateAsync({ dashboardId, body }));
    },
    doneMessage: null,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm} action={words.create}>
      <TextInput label={words.name} maxLength={100} {...form.getInputProps('name')} />
      {targets ? (
        <Select
          label={strings.dashboards.view.targets[targets.kind]}
          data={targets.options ?? []}
          searchable
          limit={200}
          {...form.getInputProps('target')}
          error={form.errors.locationId ?? form.errors.assetId}
        />
      ) : null}
      <TextInput
        label={words.expires}
        type="datetime-local"
        {...form.getInputProps('expires')}
        error={form.errors.expiresDateTime}
      />
    </FormBody>
  );
}

function ShareLinks({ dashboardId, isOpen }: { dashboardId: string; isOpen: boolean }) {
  const [revoking, setRevoking] = useState<ShareLink | null>(null);
  const query = useRead(
    'listShareLinks',
    { dashboardId, query: { take: 100 } },
    { enabled: isOpen },
  );
  return (
    <Loaded query={query}>
      {({ items }) => (
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.length === 0 ? (
            <Text size="sm" c="dimmed" component="li">
              {words.none}
            </Text>
          ) : null}
          {items.map((link) => (
            <ShareLine key={link.id} link={link} onRevoke={() => setRevoking(link)} />
          ))}
          {revoking ? (
            <ConfirmOperation
              operation="revokeShareLink"
              input={{ dashboardId, shareLinkId: revoking.id }}
              name={revoking.name}
              action={words.revoke}
              done={words.revoked}
              isOpen
              onClose={() => setRevoking(null)}
            >
              {words.revokeText}
            </ConfirmOperation>
          ) : null}
        </Stack>
      )}
    </Loaded>
  );
}

function ShareLine({ link, onRevoke }: { link: ShareLink; onRevoke: () => void }) {
  const { name, createdBy, createdDateTime, expiresDateTime } = link;
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={650} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {words.by(createdBy)}, <Timestamp at={createdDateTime} />
          {' · '}
          {expiresDateTime === null ? (
            words.never
          ) : (
            <>
              {words.until} <Timestamp at={expiresDateTime} form="exact" />
            </>
          )}
        </Text>
      </div>
      <Button size="xs" variant="default" aria-label={words.revokeOne(name)} onClick={onRevoke}>
        {words.revoke}
      </Button>
    </Group>
  );
}
