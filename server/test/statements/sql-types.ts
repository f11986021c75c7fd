import ts from 'typescript-api';

const MAX_DEPTH = 3;

const known = new WeakMap<ts.Type, boolean>();

/** Whether a value of the type is a fragment of SQL, or has, or returns one. */
export function mentionsSql(checker: ts.TypeChecker, type: ts.Type, depth = 0): boolean {
  const cached = known.get(type);
  if (cached !== undefined) return cached;
  const result = isMentioned(checker, type, depth);
  // What was cut off at the greatest depth is no answer for the type elsewhere.
  if (depth === 0 || result) known.set(type, result);
  return result;
}

function isMentioned(checker: ts.TypeChecker, type: ts.Type, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  const deeper = (each: ts.Type) => mentionsSql(checker, each, depth + 1);
  if (type.isUnionOrIntersection()) return type.types.some(deeper);
  if ((type.flags & ts.TypeFlags.Object) === 0) return false;
  if (type.symbol?.name === 'Sql') return true;
  if (checker.isArrayLikeType(type) || isGeneric(type)) {
    return checker.getTypeArguments(type as ts.TypeReference).some(deeper);
  }
  if (!isOwn(type)) return false;
  const returned = type.getCallSignatures().map((each) => each.getReturnType());
  const properties = type.getProperties().map((each) => checker.getTypeOfSymbol(each));
  return [...returned, ...properties].some(deeper);
}

const isGeneric = (type: ts.Type) =>
  ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0 && !isOwn(type);

/** Declared in the sources, not in a library. */
function isOwn(type: ts.Type): boolean {
  const declaration = type.symbol?.declarations?.[0];
  return (
    declaration !== undefined && !declaration.getSourceFile().fileName.includes('node_modules')
  );
}
