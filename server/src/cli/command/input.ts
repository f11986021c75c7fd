/** The arguments and options of one call, checked against the command. */
export class Input {
  readonly args: readonly string[];
  readonly #options: ReadonlyMap<string, readonly string[]>;

  constructor(args: readonly string[], options: ReadonlyMap<string, readonly string[]>) {
    this.args = args;
    this.#options = options;
  }

  has(name: `--${string}`): boolean {
    return this.#options.has(name);
  }

  value(name: `--${string}`): string | undefined {
    return this.#options.get(name)?.at(-1);
  }

  /** All values of a repeatable option. */
  values(name: `--${string}`): readonly string[] {
    return this.#options.get(name) ?? [];
  }
}
