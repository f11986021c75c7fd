export { type DemoEnvironment, type DemoServer, demonstrate } from './demo.ts';
export { type DemoFlags, parseDemoFlags } from './flags.ts';
export type { Story } from './story.ts';
