// Dump what the TypeScript compiler knows of calls and definitions, as JSON lines, for typescript_calls.py.
// node typescript_calls.mjs FOLDER PATH_TO_TYPESCRIPT
import { createRequire } from 'node:module';
import path from 'node:path';
const [folder, compiler] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(path.resolve(compiler));
const root = path.resolve(folder);
const files = ts.sys.readDirectory(root, ['.ts', '.tsx'], ['**/node_modules', '**/*.d.ts'], undefined);
const program = ts.createProgram(files, {
  allowJs: false, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler ?? ts.ModuleResolutionKind.Node10, experimentalDecorators: true,
  strict: true, baseUrl: root, jsx: ts.JsxEmit.Preserve,
});
const checker = program.getTypeChecker();
const place = (node) => {
  const file = node.getSourceFile();
  return [path.relative(root, file.fileName), file.getLineAndCharacterOfPosition(node.getStart()).line + 1];
};
function declarationOf(name) {
  let symbol = checker.getSymbolAtLocation(name);
  if (!symbol) return null;
  if (symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const found = symbol.valueDeclaration ?? symbol.declarations?.[0];
  return found ?? null;
}
function visit(node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    let name = node.expression;
    while (ts.isParenthesizedExpression(name) || ts.isNonNullExpression(name)) name = name.expression;
    if (ts.isPropertyAccessExpression(name)) name = name.name;
    if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) {
      const target = declarationOf(name);
      const [file, line] = place(name);
      const row = { kind: ts.isNewExpression(node) ? 'new' : 'call', file, line, name: name.text };
      if (target) {
        const [path_, start] = place(target);
        Object.assign(row, { target: path_, start, end: target.getSourceFile().getLineAndCharacterOfPosition(target.getEnd()).line + 1,
          type: ts.SyntaxKind[target.kind] });
      }
      console.log(JSON.stringify(row));
    }
  }
  const named = (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node)
    || ts.isTypeAliasDeclaration(node) || ts.isMethodDeclaration(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node)
    || ts.isConstructorDeclaration(node));
  if (named && (node.name === undefined || ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))) {
    const [file, line] = place(node);
    const name = ts.isConstructorDeclaration(node) ? 'constructor' : node.name?.text;
    if (name && !ts.isObjectLiteralExpression(node.parent))
      console.log(JSON.stringify({ kind: 'definition', file, line: place(node.name ?? node)[1], name, type: ts.SyntaxKind[node.kind] }));
  }
  ts.forEachChild(node, visit);
}
for (const file of program.getSourceFiles()) {
  if (!file.isDeclarationFile && !path.relative(root, file.fileName).startsWith('..')) visit(file);
}
