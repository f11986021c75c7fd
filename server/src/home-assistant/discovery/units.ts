/**
 * The device classes of sensors by unit, as far as a unit has only one. Home Assistant refuses a class
 * together with a unit that is not one of its own, so a unit that is not listed here has no class: `%`
 * could be a humidity, a battery or a load. Units that only its newer releases know, such as `kVA`, are
 * left out too: their values are shown all the same.
 */
const UNITS_BY_CLASS: Readonly<Record<string, readonly string[]>> = {
  voltage: ['mV', 'V'],
  current: ['mA', 'A'],
  power: ['W', 'kW'],
  apparent_power: ['VA'],
  reactive_power: ['var'],
  energy: ['Wh', 'kWh', 'MWh', 'MJ', 'GJ'],
  frequency: ['Hz', 'kHz', 'MHz', 'GHz'],
  temperature: ['°C', '°F', 'K'],
  pressure: ['Pa', 'hPa', 'kPa', 'bar', 'cbar', 'mbar', 'mmHg', 'inHg', 'psi'],
  duration: ['ms', 's', 'min', 'h', 'd'],
  signal_strength: ['dBm'],
  illuminance: ['lx'],
  irradiance: ['W/m²'],
  weight: ['kg', 'g', 'mg', 'µg', 'oz', 'lb', 'st'],
};

const CLASSES = new Map(
  Object.entries(UNITS_BY_CLASS).flatMap(([deviceClass, units]) =>
    units.map((unit) => [unit, deviceClass] as const),
  ),
);

export function deviceClassOf(unit: string | null): string | undefined {
  return unit === null ? undefined : CLASSES.get(unit);
}
