import type ts from 'typescript-api';
import type { FunctionNode } from './program.ts';

/** A value of a statement, with the type that the code gives it. */
export interface Param {
  readonly type: ts.Type;
  readonly node: ts.Node;
}

/** The text of a fragment and its values, in order. */
export interface SqlText {
  readonly kind: 'sql';
  readonly segments: readonly (string | Param)[];
}

/** What an expression of the sources is worth to the evaluation. */
export type Value =
  | SqlText
  | { readonly kind: 'undefined' }
  /** A string or a number that the sources state. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; readonly properties: ReadonlyMap<string, Value> }
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly scope: Scope }
  | Opaque;

/** Known by its type alone, such as what a request brings. */
export interface Opaque {
  readonly kind: 'opaque';
  readonly type: ts.Type;
  /** The function whose parameter it is a part of. */
  readonly parameterOf?: FunctionNode | undefined;
}

export const UNDEFINED: Value = { kind: 'undefined' };

export const text = (value: string): Value => ({ kind: 'text', text: value });

export const raw = (value: string): SqlText => ({ kind: 'sql', segments: [value] });

/** An activation of a function, or a module when it has no owner. */
export interface Scope {
  readonly owner: FunctionNode | undefined;
  readonly parent: Scope | undefined;
  /** What the parameters are bound to; undefined where the function was not called by the evaluation. */
  readonly args: readonly Value[] | undefined;
  /** Declarations that were evaluated: each once, so that a statement agrees with itself. */
  readonly known: Map<ts.Node, Value>;
}

/** The evaluation cannot go on before it knows which call of the function it is in. */
export class NeedsCaller extends Error {
  readonly callee: FunctionNode;

  constructor(callee: FunctionNode) {
    super('needs the calls of a function');
    this.callee = callee;
  }
}

/** This combination of decisions never reaches the statement. */
export class Unreachable extends Error {}

/** The evaluation cannot follow the code. */
export class NotFollowed extends Error {}
