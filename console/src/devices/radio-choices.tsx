import { Select, Stack } from '@mantine/core';
import { type Device, type LorawanDevice, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { lorawan } from '../strings/index.ts';

const words = lorawan.radio;
const MAX_OPTIONS = 200;

export type Choices = Pick<LorawanDevice, 'networkId' | 'codecId'>;

export const NO_CHOICES: Choices = { networkId: null, codecId: null };

/** Sensors and gateways of LoRaWAN have a network. */
export const hasRadio = ({ type }: Pick<Device, 'type'>) =>
  isGateway({ type }) || type === 'LORAWAN_DEVICE';

export const isGateway = ({ type }: Pick<Device, 'type'>) =>
  type === 'LORAWAN_GATEWAY_CLOUD' || type === 'LORAWAN_GATEWAY_EDGE';

/** Whether the user sees networks and codecs. */
export function useMayChoose(): boolean {
  const { may } = useSession();
  return may('UpdateDevice') && may('ManageLorawan') && may('ManageCodecs');
}

interface Props {
  readonly device: Pick<Device, 'type'>;
  readonly choices: Choices;
  readonly onChange: (changed: Partial<Choices>) => void;
}

/** The network of a gateway or sensor and the codec of the latter, for those who may see them. */
export function RadioChoices({ device, choices, onChange }: Props) {
  const isAllowed = useMayChoose();
  const isSensor = !isGateway(device);
  const paging = { query: { take: MAX_OPTIONS } };
  const networks = useRead('listLorawanNetworks', paging, { enabled: isAllowed });
  const codecs = useRead('listCodecs', paging, { enabled: isAllowed && isSensor });
  if (!isAllowed) return null;
  const optionsOf = (items: readonly { readonly id: string; readonly name: string }[] = []) =>
    items.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Stack gap="sm">
      {isSensor ? (
        <Select
          label={words.codec}
          description={words.codecHint}
          placeholder={words.none}
          data={optionsOf(codecs.data?.items)}
          value={choices.codecId}
          onChange={(codecId) => onChange({ codecId })}
          clearable
          searchable
        />
      ) : null}
      <Select
        label={words.network}
        description={isSensor ? words.networkHint : words.gatewayNetworkHint}
        placeholder={words.none}
        data={optionsOf(networks.data?.items)}
        value={choices.networkId}
        onChange={(networkId) => onChange({ networkId })}
        clearable
        searchable
      />
    </Stack>
  );
}
