import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
} from 'yaml';
import type { Json } from '../model/index.ts';
import type { Place, Problem } from './problem.ts';
import { type Substitutes, substituted } from './substitution.ts';

/** A parsed file, whose values are read once per use, since a template has several. */
export interface YamlFile {
  readonly file: string;
  read(substitutes: Substitutes): Content;
}

/** The values of a file, and where each is. */
export interface Content {
  readonly value: Json;
  readonly problems: readonly Problem[];
  /** The place of a field, or of the nearest one around it. */
  placeOf(path: Path): Place;
  /** Whether the value there, or the key, has a problem already: what stands for it is not checked. */
  isRefused(path: Path): boolean;
}

export type Path = readonly (string | number)[];

/** A path as people write it: `devices.pump.variables[0]`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  );
}

/** Fails with the problems of a text that is no YAML. */
export function parseYaml(file: string, text: string): YamlFile | readonly Problem[] {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) {
    return wrong.map(({ pos: [offset], message }) => ({
      ...placeAt(offset),
      field: '',
      reason: `is not valid YAML: ${message.replaceAll('\n', ' ')}`,
    }));
  }
  return { file, read: (substitutes) => new Reading(document, placeAt, substitutes).content() };
}

type PlaceAt = (offset: number) => Place;

const TOP = '[]';

/** One reading of a document, with substitutes for what its texts name. */
class Reading {
  readonly #document: Document.Parsed;
  readonly #placeAt: PlaceAt;
  readonly #substitutes: Substitutes;
  readonly #places = new Map<string, Place>();
  readonly #problems: Problem[] = [];
  readonly #refused = new Set<string>();

  constructor(document: Document.Parsed, placeAt: PlaceAt, substitutes: Substitutes) {
    this.#document = document;
    this.#placeAt = placeAt;
    this.#substitutes = substitutes;
    this.#places.set(TOP, placeAt(document.contents?.range?.[0] ?? 0));
  }

  content(): Content {
    const value = this.#valueOf(this.#document.contents, []);
    return {
      value,
      problems: this.#problems,
      placeOf: (path) => this.#placeOf(path),
      isRefused: (path) => this.#refused.has(JSON.stringify(path)),
    };
  }

  #placeOf(path: Path): Place {
    for (let length = path.length; length > 0; length -= 1) {
      const place = this.#places.get(JSON.stringify(path.slice(0, length)));
      if (place) return place;
    }
    return this.#places.get(TOP) as Place;
  }

  #refuse(path: Path, reason: string): void {
    this.#problems.push({ ...this.#placeOf(path), field: pathText(path), reason });
    this.#refused.add(JSON.stringify(path));
  }

  #valueOf(node: unknown, path: Path): Json {
    if (isMap(node)) return this.#mapOf(node.items, path);
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const at = [...path, index];
        this.#setPlace(at, item);
        return this.#valueOf(item, at);
      });
    }
    if (isAlias(node)) {
      this.#refuse(path, 'is an alias; use a template for what is repeated');
      return null;
    }
    return isScalar(node) ? this.#scalarOf(node.value, path) : null;
  }

  #mapOf(pairs: readonly Pair[], path: Path): Json {
    const entries = new Map<string, Json>();
    for (const pair of pairs) {
      const known = this.#problems.length;
      const name = this.#nameOf(pair.key, path);
      const at = [...path, name];
      if (this.#problems.length > known) this.#refused.add(JSON.stringify(at));
      if (entries.has(name)) this.#refuse(at, 'is given twice');
      this.#setPlace(at, pair.key);
      entries.set(name, this.#valueOf(pair.value, at));
    }
    return Object.fromEntries(entries);
  }

  /** A key that looks like a number is a text, too. */
  #nameOf(key: unknown, path: Path): string {
    const text = isScalar(key) ? (key.source ?? String(key.value)) : undefined;
    if (text === undefined) {
      this.#refuse(path, 'has a key that is not a text');
      return '';
    }
    return String(substituted(text, this.#substitutes, (reason) => this.#refuse(path, reason)));
  }

  #scalarOf(value: unknown, path: Path): Json {
    if (typeof value === 'string') {
      return substituted(value, this.#substitutes, (reason) => this.#refuse(path, reason));
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#refuse(path, 'must be a finite number');
      return 0;
    }
    return typeof value === 'number' || typeof value === 'boolean' ? value : null;
  }

  #setPlace(path: Path, node: unknown): void {
    const { range } = Object(node) as { range?: readonly number[] };
    const offset = range?.[0];
    if (offset !== undefined) this.#places.set(JSON.stringify(path), this.#placeAt(offset));
  }
}
