import { Button, Stack, Stepper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CredentialsShown, DeviceCreationForm } from '../devices/index.ts';
import { useLatest, useLiveValue, usePresence } from '../live/index.ts';
import { writeStored } from '../runtime/index.ts';
import { type CreatedDevice, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Loading, NotAllowed, Page, Panel } from '../ui/index.ts';
import { FirstValue } from './first-value.tsx';
import { useProgress } from './progress.ts';

const words = strings.onboarding;

/** The first steps in an empty organization: a Device, a reading, its value. */
export function WelcomePage() {
  const { organization, may } = useSession();
  const [made, setMade] = useState<CreatedDevice | null>(null);
  const progress = useProgress();
  if (!may('CreateDevice')) return <NotAllowed />;
  if (!progress) return <Loading rows={5} />;
  const { device, variable } = progress;
  return (
    <Page title={words.title} about={words.about}>
      <Stack gap="md" maw={760}>
        <Steps {...progress} />
        {device === null ? (
          <Panel title={words.steps.device}>
            <Text size="sm" mb="sm">
              {words.deviceAbout}
            </Text>
            <DeviceCreationForm onMade={setMade} />
          </Panel>
        ) : null}
        {/* The password is shown once, and the Device has to publish again to show its value. */}
        {device !== null && (made !== null || variable === null) ? (
          <PublishStep made={made} {...progress} />
        ) : null}
        {device !== null ? <FirstValue device={device} variable={variable} /> : null}
        <Button
          component={Link}
          to="/"
          variant="subtle"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => writeStored('welcomed', organization.id)}
        >
          {variable ? words.finish : words.skip}
        </Button>
      </Stack>
    </Page>
  );
}

type Progress = NonNullable<ReturnType<typeof useProgress>>;

function Steps({ device, hasArrived, variable }: Progress) {
  useLatest(variable ? [variable.id] : []);
  const value = useLiveValue(variable?.id ?? '');
  const done = device === null ? 0 : !hasArrived && !variable ? 1 : value ? 3 : 2;
  return (
    <Stepper active={done} size="sm" allowNextStepsSelect={false} aria-label={words.about}>
      <Stepper.Step label={words.steps.device} />
      <Stepper.Step label={words.steps.publish} />
      <Stepper.Step label={words.steps.value} />
    </Stepper>
  );
}

function PublishStep({ device, hasArrived, made }: Progress & { made: CreatedDevice | null }) {
  const { data } = useRead(
    'retrieveDevice',
    { deviceId: device?.id ?? '' },
    { enabled: device !== null },
  );
  if (!device) return null;
  const isOwn = made?.id === device.id;
  const isSensor = device.type === 'LORAWAN_DEVICE';
  return (
    <Panel title={words.steps.publish}>
      <Stack gap="sm">
        <Text size="sm">
          {isSensor ? words.uplinkAbout : isOwn ? words.publishAbout : words.passwordLost}
        </Text>
        {isOwn && !isSensor ? (
          <CredentialsShown deviceId={made.id} credentials={made.credentials} />
        ) : (
          <Button
            component={Link}
            to={`/devices/${device.id}?tab=${isSensor ? 'radio' : 'publish'}`}
            variant="default"
          >
            {words.toDevice}
          </Button>
        )}
        <Arrival hasArrived={hasArrived} device={data ?? device} />
      </Stack>
    </Panel>
  );
}

function Arrival({
  hasArrived,
  device,
}: {
  hasArrived: boolean;
  device: NonNullable<Progress['device']>;
}) {
  const { lastSeenDateTime } = usePresence(device);
  const isThere = hasArrived || lastSeenDateTime !== null;
  return (
    <Text size="sm" fw={600} role="status">
      {isThere ? words.publishDone : words.waiting}
    </Text>
  );
}
