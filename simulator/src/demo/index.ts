export { type DemoServer, type DemoSurroundings, demonstrate } from './demo.ts';
export { type DemoFlags, parseDemoFlags } from './flags.ts';
export type { Story } from './story.ts';
