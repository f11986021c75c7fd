import ts from 'typescript-api';
import type { Evaluator } from './evaluator.ts';
import { type FunctionNode, isFunctionNode } from './program.ts';
import { NeedsCaller, NotFollowed } from './value.ts';

/** A property of the rows that the code expects. */
export interface Property {
  readonly name: string;
  readonly type: ts.Type;
  readonly isOptional: boolean;
}

/** What a call expects of its rows; undefined when it reads no column. */
export function rowOf(evaluator: Evaluator, call: ts.CallExpression): Property[] | undefined {
  const type = rowTypeOf(evaluator, call);
  if (type && isUnresolved(type)) evaluator.fail(call, 'has rows of a type that is not read');
  if (!type || (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.NonPrimitive)) !== 0)
    return undefined;
  return propertiesOf(evaluator, type);
}

/** The `any` of a name that the compiler does not find, such as one of a package that is left out. */
const isUnresolved = (type: ts.Type) =>
  (type.flags & ts.TypeFlags.Any) !== 0 && (type as ts.Type & Named).intrinsicName === 'error';

interface Named {
  readonly intrinsicName?: string;
}

function typeArguments(evaluator: Evaluator, call: ts.CallExpression): readonly ts.Type[] {
  const { checker } = evaluator.program;
  const signature = checker.getResolvedSignature(call);
  return (signature && checker.getTypeArgumentsForResolvedSignature(signature)) ?? [];
}

function rowTypeOf(evaluator: Evaluator, call: ts.CallExpression): ts.Type | undefined {
  return typeArguments(evaluator, call)[0];
}

function propertiesOf(evaluator: Evaluator, type: ts.Type): Property[] {
  if ((type.flags & ts.TypeFlags.TypeParameter) !== 0) {
    return propertiesOf(evaluator, argumentFor(evaluator, type));
  }
  if (type.isIntersection()) {
    const all = type.types.flatMap((each) => propertiesOf(evaluator, each));
    return [...new Map(all.map((each) => [each.name, each])).values()];
  }
  const { checker } = evaluator.program;
  return checker.getPropertiesOfType(type).map((symbol) => ({
    name: symbol.name,
    type: checker.getTypeOfSymbol(symbol),
    isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
  }));
}

/** The type that the assumed call of a generic function gives to its type parameter. */
function argumentFor(evaluator: Evaluator, parameter: ts.Type): ts.Type {
  const declaration = parameter.symbol.declarations?.[0];
  const fn = declaration?.parent;
  if (!declaration || !fn || !isFunctionNode(fn)) {
    throw new NotFollowed(`${parameter.symbol.name} is no parameter of a function`);
  }
  const call = evaluator.callers.get(fn);
  if (!call) throw new NeedsCaller(fn);
  const index = typeParametersOf(fn).indexOf(declaration);
  const type = typeArguments(evaluator, call)[index];
  if (!type)
    throw new NotFollowed(`${evaluator.program.where(call)}: gives no ${parameter.symbol.name}`);
  return type;
}

const typeParametersOf = (fn: FunctionNode): readonly ts.Node[] => fn.typeParameters ?? [];
