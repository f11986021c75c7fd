import type { Equipment, Plant } from './equipment.ts';
import { createGateway } from './gateway.ts';
import { createGenerator } from './generator.ts';
import { createRoomSensor } from './room-sensor.ts';
import { createSwitchboard } from './switchboard.ts';
import { createTransferSwitch } from './transfer-switch.ts';

export { deviceName, type Equipment, type Plant } from './equipment.ts';

/** All equipment of a site that reports. The gateway, which reports for the others, comes first. */
export function equip(plant: Plant): readonly [gateway: Equipment, ...others: Equipment[]] {
  return [
    createGateway(plant),
    createGenerator(plant),
    createTransferSwitch(plant),
    createSwitchboard(plant),
    createRoomSensor(plant),
  ];
}
