// Print what the type checker of Go's standard library knows of calls and definitions, as JSON lines, for targets.py.
// go run go_calls.go FOLDER. Packages outside FOLDER and outside the standard library stay unknown: their calls have no row target.
package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

type row struct {
	Kind    string `json:"kind"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Name    string `json:"name"`
	Target  string `json:"target,omitempty"`
	Start   int    `json:"start,omitempty"`
	Outside bool   `json:"outside,omitempty"`
	Type    string `json:"type,omitempty"`
}

type loader struct {
	root    string
	modules map[string]string // import path -> folder
	files   *token.FileSet
	known   map[string]*types.Package
	library types.Importer
}

var module = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

func (l *loader) folderOf(path string) string {
	best, folder := "", ""
	for name, where := range l.modules {
		if (path == name || strings.HasPrefix(path, name+"/")) && len(name) > len(best) {
			best, folder = name, filepath.Join(where, strings.TrimPrefix(path, name))
		}
	}
	return folder
}

func (l *loader) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if found := l.known[path]; found != nil {
		return found, nil
	}
	folder := l.folderOf(path)
	if folder == "" {
		found, err := l.library.Import(path)
		if err == nil {
			l.known[path] = found
		}
		return found, err
	}
	name := filepath.Base(folder)
	l.known[path] = types.NewPackage(path, name) // a cycle in broken code ends here
	groups := l.parse(folder)
	var chosen []*ast.File
	for group, files := range groups {
		if !strings.HasSuffix(group, "_test") && len(files) > len(chosen) {
			chosen = files
		}
	}
	found, _ := l.check(path, withoutTests(l.files, chosen), nil)
	l.known[path] = found
	return found, nil
}

func withoutTests(set *token.FileSet, files []*ast.File) (kept []*ast.File) {
	for _, file := range files {
		if !strings.HasSuffix(set.Position(file.Pos()).Filename, "_test.go") {
			kept = append(kept, file)
		}
	}
	return kept
}

func (l *loader) parse(folder string) map[string][]*ast.File {
	groups := map[string][]*ast.File{}
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			continue
		}
		if fits, err := build.Default.MatchFile(folder, name); err != nil || !fits {
			continue
		}
		if file, _ := parser.ParseFile(l.files, filepath.Join(folder, name), nil, parser.SkipObjectResolution); file != nil && file.Name != nil {
			groups[file.Name.Name] = append(groups[file.Name.Name], file)
		}
	}
	return groups
}

func (l *loader) check(path string, files []*ast.File, info *types.Info) (*types.Package, error) {
	config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
	return config.Check(path, l.files, files, info)
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	l := &loader{root: root, modules: map[string]string{}, files: token.NewFileSet(), known: map[string]*types.Package{}, library: nil}
	l.library = importer.ForCompiler(l.files, "gc", nil)
	folders := []string{}
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if entry.IsDir() {
			if name := entry.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor") {
				return filepath.SkipDir
			}
			folders = append(folders, path)
			return nil
		}
		if entry.Name() == "go.mod" {
			text, _ := os.ReadFile(path)
			if found := module.FindSubmatch(text); found != nil {
				l.modules[string(found[1])] = filepath.Dir(path)
			}
		}
		return nil
	})
	out := json.NewEncoder(os.Stdout)
	for _, folder := range folders {
		groups := l.parse(folder)
		names := []string{}
		for name := range groups {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			files := groups[name]
			info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
			l.check(l.pathOf(folder)+"#"+name, files, info)
			for _, file := range files {
				l.print(out, file, info)
			}
		}
	}
}

func (l *loader) pathOf(folder string) string {
	for name, where := range l.modules {
		if folder == where || strings.HasPrefix(folder, where+"/") {
			return name + strings.TrimPrefix(folder, where)
		}
	}
	return folder
}

func (l *loader) place(at token.Pos) (string, int) {
	position := l.files.Position(at)
	relative, err := filepath.Rel(l.root, position.Filename)
	if err != nil || position.Filename == "" || strings.HasPrefix(relative, "..") {
		return "", position.Line
	}
	return relative, position.Line
}

func (l *loader) print(out *json.Encoder, file *ast.File, info *types.Info) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			path, line := l.place(node.Name.Pos())
			out.Encode(row{Kind: "definition", File: path, Line: line, Name: node.Name.Name, Type: "function"})
		case *ast.TypeSpec:
			path, line := l.place(node.Name.Pos())
			out.Encode(row{Kind: "definition", File: path, Line: line, Name: node.Name.Name, Type: "type"})
		case *ast.CallExpr:
			l.call(out, node, info)
		}
		return true
	})
}

func (l *loader) call(out *json.Encoder, node *ast.CallExpr, info *types.Info) {
	if kind := info.Types[node.Fun]; kind.IsType() || kind.IsBuiltin() {
		return // conversions and built-in functions run nothing of the repository
	}
	var name *ast.Ident
	for at := node.Fun; name == nil; {
		switch found := at.(type) {
		case *ast.ParenExpr:
			at = found.X
		case *ast.IndexExpr:
			at = found.X
		case *ast.IndexListExpr:
			at = found.X
		case *ast.SelectorExpr:
			name = found.Sel
		case *ast.Ident:
			name = found
		default:
			return
		}
	}
	path, line := l.place(name.Pos())
	result := row{Kind: "call", File: path, Line: line, Name: name.Name}
	switch target := info.Uses[name].(type) {
	case *types.Func:
		target = target.Origin()
		if target.Pos().IsValid() && target.Pkg() != nil {
			result.Target, result.Start = l.place(target.Pos())
		}
		result.Outside = result.Target == ""
		result.Type = "function"
		if signature, fits := target.Type().(*types.Signature); fits && signature.Recv() != nil && types.IsInterface(signature.Recv().Type()) {
			result.Type = "interface"
		}
	case *types.Var:
		result.Type = "value"
		result.Target, result.Start = l.place(target.Pos())
		result.Outside = result.Target == ""
	}
	out.Encode(result)
}
