export { type Invocation, parseArguments } from './arguments.ts';
export { type Command, CommandFailure, EXIT, type Option, wrongUsage } from './command.ts';
export { completionScript, SHELLS } from './completion.ts';
export { counted } from './counted.ts';
export { helpText } from './help.ts';
export type { Input } from './input.ts';
export type { Paint } from './paint.ts';
export { nearest } from './suggestion.ts';
export { createTerminal, type Streams, type Terminal } from './terminal.ts';
