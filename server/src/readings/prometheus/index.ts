export { createPrometheusHandler } from './handler.ts';
