import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compareText, isObject, type Json, KINDS, type Kind } from '../model/index.ts';
import { type Content, type Path, parseYaml, pathText, type YamlFile } from './document.ts';
import {
  type Declarations,
  declaredParameters,
  givenParameters,
  type Parameters,
  typedParameters,
} from './parameters.ts';
import type { Place, Problem } from './problem.ts';
import type { Substitutes } from './substitution.ts';

/** A record of a file, not checked yet. */
export interface SourceRecord {
  readonly kind: Kind;
  readonly key: string;
  readonly value: Json;
  /** The path of the record in its file. */
  readonly path: Path;
  readonly placeOf: Content['placeOf'];
  readonly isRefused: Content['isRefused'];
}

interface Loaded {
  readonly records: readonly SourceRecord[];
  readonly problems: readonly Problem[];
}

type Environment = Substitutes['environment'];

/** Kinds that a file has at its top; Variables are within their Devices. */
export const TOP_KINDS = KINDS.filter((kind) => kind !== 'variables');
const TOP_FIELDS: readonly string[] = [...TOP_KINDS, 'parameters', 'instances'];

const PARAMETERS = 'parameters';
const INSTANCES = 'instances';
const IS_YAML = /\.ya?ml$/;

const START = { line: 1, column: 1 };

/** The records of the files, and of the YAML files in the folders. */
export function loadFiles(paths: readonly string[], environment: Environment): Loaded {
  const loader = new Loader(environment);
  for (const path of paths) loader.addPath(path);
  return loader;
}

/** The records of one template with the given parameters, as texts. */
export function loadTemplate(
  file: string,
  texts: Readonly<Record<string, string>>,
  environment: Environment,
): Loaded {
  const loader = new Loader(environment);
  const typed = (declared: Declarations) => typedParameters(declared, texts);
  loader.addTemplate(file, typed, { file, ...START }, '');
  return loader;
}

/** Collects records and problems of files. */
class Loader implements Loaded {
  readonly records: SourceRecord[] = [];
  readonly problems: Problem[] = [];
  readonly #environment: Environment;
  readonly #parsed = new Map<string, YamlFile | null>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  addPath(path: string): void {
    let files: readonly string[];
    try {
      if (!statSync(path).isDirectory()) {
        this.#addFile(path, false);
        return;
      }
      files = readdirSync(path, { recursive: true, encoding: 'utf8' });
    } catch {
      this.#refuse({ file: path, ...START }, '', 'cannot be read');
      return;
    }
    const found = files.filter((file) => IS_YAML.test(file)).sort(compareText);
    if (found.length === 0) this.#refuse({ file: path, ...START }, '', 'has no YAML files');
    for (const file of found) this.#addFile(join(path, file), true);
  }

  /** A template in a folder is there for the files that use it. */
  #addFile(file: string, isInFolder: boolean): void {
    const yaml = this.#parse(file, { file, ...START }, '');
    if (!yaml) return;
    const content = yaml.read({ environment: this.#environment, parameters: undefined });
    const { value } = content;
    if (isObject(value) && PARAMETERS in value) {
      if (isInFolder) return;
      const place = content.placeOf([PARAMETERS]);
      this.#refuse(place, '', 'is a template: name it in the instances of another file');
      return;
    }
    this.#addContent(file, content);
    const instances = isObject(value) ? value[INSTANCES] : undefined;
    if (instances !== undefined) this.#addInstances(file, instances, content);
  }

  #addInstances(file: string, instances: Json, { placeOf }: Content): void {
    if (!Array.isArray(instances)) {
      this.#refuse(placeOf([INSTANCES]), INSTANCES, 'must be a list');
      return;
    }
    for (const [index, instance] of (instances as readonly Json[]).entries()) {
      const path = [INSTANCES, index];
      const field = pathText(path);
      const { template, parameters = {}, ...rest } = isObject(instance) ? instance : {};
      const unknown = Object.keys(rest)[0];
      if (typeof template !== 'string' || !isObject(parameters) || unknown !== undefined) {
        const reason = 'must have the fields template, a file, and parameters, and no others';
        this.#refuse(placeOf(path), field, reason);
        continue;
      }
      const place = placeOf([...path, PARAMETERS]);
      this.addTemplate(join(dirname(file), template), () => parameters, place, field);
    }
  }

  /** `place` and `field` are those of the instance. */
  addTemplate(
    file: string,
    given: (declared: Declarations) => Parameters,
    place: Place,
    field: string,
  ): void {
    const yaml = this.#parse(file, place, field);
    if (!yaml) return;
    const substitutes = { environment: this.#environment, parameters: undefined };
    const { value, placeOf } = yaml.read(substitutes);
    const written = isObject(value) ? value[PARAMETERS] : undefined;
    const declared = declaredParameters(written);
    if ('reason' in declared) {
      const path = [PARAMETERS, ...declared.path];
      this.#refuse(placeOf(path), pathText(path), declared.reason);
      return;
    }
    const parameters = givenParameters(declared.parameters, given(declared.parameters));
    if ('reasons' in parameters) {
      for (const reason of parameters.reasons) this.#refuse(place, field, reason);
      return;
    }
    this.#addContent(file, yaml.read({ environment: this.#environment, ...parameters }));
  }

  #parse(file: string, place: Place, field: string): YamlFile | null {
    const known = this.#parsed.get(file);
    if (known !== undefined) return known;
    const yaml = this.#read(file, place, field);
    this.#parsed.set(file, yaml);
    return yaml;
  }

  #read(file: string, place: Place, field: string): YamlFile | null {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      const isItself = place.file === file;
      this.#refuse(
        place,
        field,
        isItself ? 'cannot be read' : `names ${file}, which cannot be read`,
      );
      return null;
    }
    const yaml = parseYaml(file, text);
    if ('read' in yaml) return yaml;
    this.problems.push(...yaml);
    return null;
  }

  #addContent(file: string, content: Content): void {
    const { value, problems, placeOf } = content;
    this.problems.push(...problems);
    if (value === null) return;
    if (!isObject(value)) {
      this.#refuse({ file, ...START }, '', `must be a map of ${TOP_KINDS.join(', ')}`);
      return;
    }
    for (const name of Object.keys(value).filter((each) => !TOP_FIELDS.includes(each))) {
      this.#refuse(placeOf([name]), name, `must be one of ${TOP_FIELDS.join(', ')}`);
    }
    for (const kind of TOP_KINDS) {
      for (const record of this.#recordsOf(kind, value[kind], [kind], content)) {
        this.records.push(record);
        if (kind === 'devices') this.records.push(...this.#variablesOf(record));
      }
    }
  }

  #variablesOf({ key, value, path, ...source }: SourceRecord): SourceRecord[] {
    const written = isObject(value) ? value.variables : undefined;
    const found = this.#recordsOf('variables', written, [...path, 'variables'], source);
    return found.map((record) => ({ ...record, key: `${key}/${record.key}` }));
  }

  #recordsOf(
    kind: Kind,
    value: Json | undefined,
    path: Path,
    { placeOf, isRefused }: Pick<Content, 'placeOf' | 'isRefused'>,
  ): SourceRecord[] {
    if (value === undefined || value === null) return [];
    if (!isObject(value)) {
      this.#refuse(placeOf(path), pathText(path), 'must be a map of records by their keys');
      return [];
    }
    return Object.entries(value).map(([key, fields]) => ({
      kind,
      key,
      value: fields,
      path: [...path, key],
      placeOf,
      isRefused,
    }));
  }

  #refuse(place: Place, field: string, reason: string): void {
    this.problems.push({ ...place, field, reason });
  }
}
