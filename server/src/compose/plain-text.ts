import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { NO_PROXIES } from '../runtime/index.ts';

/** Warnings about ports that are reachable from other machines and not encrypted. */
export function plainTextWarnings(
  config: Pick<Config, 'http' | 'mqtt' | 'trustedProxies'>,
): string[] {
  const { http, mqtt, trustedProxies } = config;
  if (isLoopback(http.host)) return [];
  const warnings: string[] = [];
  // A trusted proxy is expected to add TLS.
  if (!http.tls && trustedProxies === NO_PROXIES) {
    warnings.push(
      'HTTP is open to other machines and not encrypted: set FIELDWATCH_HTTP_TLS_CERT and _KEY, or FIELDWATCH_HTTP_HOST=127.0.0.1 behind a proxy that adds TLS',
    );
  }
  if (mqtt.url === null && !mqtt.tls) {
    warnings.push(
      'MQTT is open to other machines and not encrypted: set FIELDWATCH_MQTT_TLS_CERT and _KEY',
    );
  }
  return warnings;
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
