import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { CodecAnswer, CodecCall, CodecInput } from './messages.ts';
import { MAX_CONSOLE_LINES, PRELUDE } from './prelude.ts';
import { createTimeLimit, SPENT } from './time-limit.ts';

/** Pages of 64 KiB. This is the limit that ends attacks by allocation. */
const MEMORY_PAGES = { initial: 256, maximum: 512 };
const MEMORY_LIMIT_BYTES = 8 * 1024 * 1024;
/** With more, a codec overflows the stack of the host before its own. */
const STACK_LIMIT_BYTES = 64 * 1024;
const MAX_ERROR_LENGTH = 500;
const SCRIPT_NAME = 'codec.js';
const FIND_FUNCTION = `typeof decodeUplink === 'function' ? decodeUplink : undefined`;
const NO_FUNCTION = 'The script has no function decodeUplink.';
const OUT_OF_MEMORY = 'The codec used more than 8 MiB of memory.';

/** The types of the package are those of its CommonJS form, which has the variant as its `default`. */
const VARIANT: QuickJSSyncVariant = 'default' in release ? release.default : release;

/** The types of Node do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (pages: typeof MEMORY_PAGES) => object;
};

const compiled = new WebAssembly.Module(
  readFileSync(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
);

/** A codec failed; the message is for its author. */
class CodecFailure extends Error {}

/**
 * Runs codecs one after the other, each call in a context of its own: nothing of one call is left for
 * the next. An instance whose state is unknown, after an error that is none of the script, is discarded.
 */
export class Engine {
  #instance: QuickJSWASMModule | null = null;

  /** Resolves when there is an instance. */
  async start(): Promise<void> {
    this.#instance ??= await newInstance();
  }

  async run(call: CodecCall): Promise<CodecAnswer> {
    this.#instance ??= await newInstance();
    const began = performance.now();
    const console: string[] = [];
    const answered = (output: string | null, error: string | null): CodecAnswer => {
      const durationMs = Math.round((performance.now() - began) * 100) / 100;
      return { output, error, console, durationMs };
    };
    const context = newContext(this.#instance);
    try {
      return answered(runIn(context, call, console), null);
    } catch (error) {
      const isOfScript = error instanceof CodecFailure;
      if (!isOfScript || error.message === OUT_OF_MEMORY) this.#instance = null;
      return answered(null, isOfScript ? error.message : 'The codec failed.');
    } finally {
      if (!isDisposed(context)) this.#instance = null;
    }
  }
}

function newContext(instance: QuickJSWASMModule): QuickJSContext {
  const runtime = instance.newRuntime();
  runtime.setMemoryLimit(MEMORY_LIMIT_BYTES);
  runtime.setMaxStackSize(STACK_LIMIT_BYTES);
  return runtime.newContext();
}

/** False where the engine cannot free what the codec left. */
function isDisposed(context: QuickJSContext): boolean {
  try {
    context.dispose();
    context.runtime.dispose();
    return true;
  } catch {
    return false;
  }
}

function newInstance(): Promise<QuickJSWASMModule> {
  const wasmMemory = new WebAssembly.Memory(MEMORY_PAGES);
  return newQuickJSWASMModuleFromVariant(
    newVariant(VARIANT, { wasmModule: compiled, wasmMemory }) as QuickJSSyncVariant,
  );
}

function runIn(context: QuickJSContext, call: CodecCall, console: string[]): string | null {
  const { runtime } = context;
  const prelude = evaluate(context, PRELUDE, 'prelude.js');
  // It begins here: to make a context takes long where the machine is busy, whatever the codec does.
  const limit = createTimeLimit();
  runtime.setInterruptHandler(limit.isSpent);
  try {
    return decode(context, prelude, call);
  } catch (error) {
    throw limit.isSpent() ? new CodecFailure(SPENT) : error;
  } finally {
    // A codec can have replaced what reading its lines calls.
    runtime.setInterruptHandler(createTimeLimit().isSpent);
    console.push(...consoleLines(context, prelude));
    prelude.dispose();
  }
}

function decode(
  context: QuickJSContext,
  prelude: QuickJSHandle,
  { script, input }: CodecCall,
): string | null {
  evaluate(context, script, SCRIPT_NAME).dispose();
  const decodeUplink = evaluate(context, FIND_FUNCTION, SCRIPT_NAME);
  try {
    if (context.typeof(decodeUplink) !== 'function') throw new CodecFailure(NO_FUNCTION);
    return input === null ? null : outputOf(context, prelude, decodeUplink, input);
  } finally {
    decodeUplink.dispose();
  }
}

function outputOf(
  context: QuickJSContext,
  prelude: QuickJSHandle,
  decodeUplink: QuickJSHandle,
  input: CodecInput,
): string {
  const call = context.getProp(prelude, 'outputOf');
  const text = context.newString(JSON.stringify(input));
  try {
    const output = unwrap(
      context,
      context.callFunction(call, context.undefined, decodeUplink, text),
    );
    try {
      return context.getString(output);
    } finally {
      output.dispose();
    }
  } finally {
    call.dispose();
    text.dispose();
  }
}

function consoleLines(context: QuickJSContext, prelude: QuickJSHandle): string[] {
  const call = context.getProp(prelude, 'consoleText');
  const text = context.callFunction(call, context.undefined);
  call.dispose();
  if (text.error) {
    text.error.dispose();
    return [];
  }
  const lines: unknown = JSON.parse(context.getString(text.value));
  text.value.dispose();
  return Array.isArray(lines) ? lines.slice(0, MAX_CONSOLE_LINES).map(String) : [];
}

function evaluate(context: QuickJSContext, code: string, fileName: string): QuickJSHandle {
  return unwrap(context, context.evalCode(code, fileName));
}

type Result = ReturnType<QuickJSContext['evalCode']>;

function unwrap(context: QuickJSContext, result: Result): QuickJSHandle {
  if (!result.error) return result.value;
  const message = errorText(context, result.error);
  result.error.dispose();
  throw new CodecFailure(message);
}

/** What was thrown, with its kind and the line of the script. */
function errorText(context: QuickJSContext, error: QuickJSHandle): string {
  const thrown: unknown = context.dump(error);
  if (typeof thrown !== 'object' || thrown === null) {
    return String(thrown).slice(0, MAX_ERROR_LENGTH);
  }
  const { name, message, stack } = thrown as Readonly<Record<string, unknown>>;
  if (name === 'InternalError' && message === 'out of memory') return OUT_OF_MEMORY;
  const line = typeof stack === 'string' ? /codec\.js:(\d+)/.exec(stack)?.[1] : undefined;
  if (typeof message !== 'string') return 'An object was thrown';
  const where = line ? `${String(name)}, line ${line}` : String(name);
  return `${message.slice(0, MAX_ERROR_LENGTH)} (${where})`;
}
