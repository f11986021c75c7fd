export { fold, foldEmail } from '@fieldwatch/contract';
export { type AvailabilityLog, createAvailabilityLog } from './availability-log.ts';
export { BoundedMap } from './bounded-map.ts';
export {
  type Certificate,
  type CertificateFiles,
  readCertificate,
  tlsOptions,
  watchCertificate,
} from './certificate-files.ts';
export {
  clientAddress,
  isForwardedTls,
  isProxy,
  NO_PROXIES,
  parseTrustedProxies,
  rateLimitKey,
  type TrustedProxies,
} from './client-address.ts';
export { type Clock, isoDateTime, systemClock } from './clock.ts';
export {
  type ClockMoment,
  ClockSteps,
  MIN_STEP_MS,
  type Moment,
  momentOf,
} from './clock-steps.ts';
export { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts';
export { connectReason } from './connect-reason.ts';
export { dataDirFailure, makeDataDir } from './data-dir.ts';
export { createDeferred, type Deferred } from './deferred.ts';
export { escapeControls } from './escape-controls.ts';
export { every, type Periodic } from './every.ts';
export {
  Failure,
  invalid,
  isServiceUnavailable,
  notFound,
  shuttingDown,
  temporarilyUnavailable,
} from './failure.ts';
export { tuneGarbageCollector } from './garbage.ts';
export { createIds, idForms, isUuid, type NewId, uuidOf } from './ids.ts';
export { JsonWriter } from './json-writer.ts';
export { type Binding, createKeyring, type Keyring, UNBOUND_VERSION } from './keyring.ts';
export { type LagWatch, watchLag } from './lag.ts';
export { createLifecycle, type Lifecycle } from './lifecycle.ts';
export { listenFailure } from './listen-failure.ts';
export { createLog, LOG_LEVELS, type Log, type LogLevel } from './log.ts';
export { mergeMetrics } from './merge-metrics.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { moduleBeside } from './module-beside.ts';
export { LAST_MOMENT_MS, parseFutureMoment, parseMoment } from './moment.ts';
export {
  type Allowed,
  type BrokerAccess,
  brokerAddressOf,
  brokerAnswer,
  brokerClientOptions,
  brokerClosed,
  connectBroker,
  createOutbound,
  endBroker,
  isAllowanceText,
  type Outbound,
  OutboundError,
  parseAllowed,
} from './outbound/index.ts';
export { raiseOwnPriority, setNiceness } from './process-priority.ts';
export { createRateLimit, type RateLimit, type RateLimitVerdict } from './rate-limit.ts';
export {
  createSecret,
  keepSecret,
  placeSecret,
  readNewSecret,
  readSecret,
} from './secret-file.ts';
export {
  anySetting,
  countSetting,
  createSettingsReader,
  flagSetting,
  type ParseSetting,
  portSetting,
  type SettingsReader,
} from './settings.ts';
export { createStallDetector } from './stall.ts';
export { StartFailure } from './start-failure.ts';
export { startThread } from './start-thread.ts';
export { openTimeZone, type TimeZone } from './time-zone.ts';
export { endsWithin, withTimeout } from './timeout.ts';
export { inSpan, type OpenSpan, startSpan, traceHeaders } from './tracing.ts';
export { type Period, periodsOfWeeklyHours, timeOfDayMs, weekdayOf } from './weekly-hours.ts';
export { createWriteBehind } from './write-behind.ts';
export { type Urgency, Yielder } from './yielder.ts';
