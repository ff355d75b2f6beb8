; Elixir. Everything is a call: definitions, control flow and module attributes are told apart by the word that is called.

; definitions: modules
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.class
  (#eq? @_def "defmodule"))
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.interface
  (#eq? @_def "defprotocol"))
((call target: (identifier) @_def (arguments
  . (alias) @extends
  (keywords (pair key: (keyword) @_for value: (alias) @name)))) @scope.type
  (#eq? @_def "defimpl") (#match? @_for "^for:"))

; definitions: functions and macros; a head without parentheses, with a guard, or an operator
((call target: (identifier) @_def (arguments . [
  (call target: (identifier) @name (arguments) @parameters)
  (binary_operator left: (call target: (identifier) @name (arguments) @parameters) operator: "when")
  (identifier) @name
  (binary_operator left: (identifier) @name operator: "when")
  (binary_operator operator: ["+" "-" "*" "/" "==" "<" ">" "++" "--" "<>" "|>" "&&&" "|||" "~>" "<~>"] @name)])
  (do_block)? @body) @definition.function
  (#any-of? @_def "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp"))
((call target: (identifier) @_def (arguments . [
  (call target: (identifier) @name (arguments) @parameters)
  (binary_operator left: (call target: (identifier) @name (arguments) @parameters) operator: "when")
  (identifier) @name])
  (do_block)? @body) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop"))
((call target: (identifier) @modifier (arguments . [
  (call target: (identifier) @name)
  (binary_operator left: (call target: (identifier) @name) operator: "when")]))
  (#any-of? @modifier "defp" "defmacrop" "defguardp"))
((unary_operator operator: "@" operand: (call
  target: (identifier) @_attribute
  (arguments [
    (binary_operator left: (call target: (identifier) @name (arguments) @parameters) right: (_) @result)
    (binary_operator
      left: (binary_operator left: (call target: (identifier) @name (arguments) @parameters) right: (_) @result)
      operator: "when")]))) @definition.function
  (#any-of? @_attribute "callback" "macrocallback"))
((call target: (identifier) @_test (arguments . (string (quoted_content) @name)) (do_block) @body) @definition.function
  (#any-of? @_test "test" "property"))
; a function value with a name
(binary_operator left: (identifier) @name operator: "=" right: (anonymous_function) @body) @definition.function

; definitions: types and constants of a module
((unary_operator operator: "@" operand: (call
  target: (identifier) @_attribute
  (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))) @definition.type
  (#any-of? @_attribute "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments . (_)))) @definition.constant
  (#not-match? @name "^(after_compile|before_compile|behaviour|callback|compile|deprecated|derive|dialyzer|doc|enforce_keys|external_resource|impl|macrocallback|moduledoc|moduletag|on_load|opaque|optional_callbacks|shortdoc|since|spec|tag|describetag|type|typedoc|typep|vsn)$"))

; supertypes
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments (alias) @extends)))
  (#eq? @_attribute "behaviour"))

; documentation and attributes; what attributes call says nothing about the module
(comment) @comment
((unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments [(string) (sigil)]))) @comment
  (#any-of? @_doc "doc" "typedoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments [(string) (sigil)] @doc)))
  (#eq? @_doc "moduledoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @attribute
  (#any-of? @_attribute "spec" "impl" "doc" "deprecated" "since" "tag" "typedoc"))
(unary_operator operator: "@" operand: (call)) @contract
; the head of a definition is no call
((call target: (identifier) @_def (arguments . (_) @contract))
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp"))

; parameters
(arguments (binary_operator operator: "\\\\") @parameter.optional) @parameters

; calls; what comes through a pipe is one more argument
((binary_operator operator: "|>" @argument.spread right: (call
  target: (identifier) @callee (arguments) @arguments) @call))
((binary_operator operator: "|>" @argument.spread right: (call
  target: (dot left: (_) @receiver right: (identifier) @callee) (arguments) @arguments) @call))
(binary_operator operator: "|>" right: (identifier) @callee @call)
((call target: (identifier) @callee (arguments) @arguments) @call
  (#not-match? @callee "^(def\\w*|alias|and|assert\\w*|case|cond|describe|doctest|else|exit|for|if|import|in|is_\\w+|not|or|property|quote|raise|receive|refute|require|reraise|setup|setup_all|super|test|throw|try|unless|unquote|unquote_splicing|use|with|fn|elem|hd|tl|inspect|length|to_string)$"))
(call target: (dot left: (_) @receiver right: (identifier) @callee) (arguments) @arguments) @call
(call target: (dot left: (identifier) @callee !right) (arguments) @arguments) @call

; flow
((call target: (identifier) @_for (do_block) @flow.loop) (#eq? @_for "for"))
((call target: (identifier) @_for (arguments (keywords (pair key: (keyword) @_do value: (_) @flow.loop))))
  (#eq? @_for "for") (#match? @_do "^do:"))
((call target: (dot right: (identifier) @_each) (arguments (anonymous_function) @flow.loop))
  (#any-of? @_each "all?" "any?" "each" "filter" "find" "flat_map" "map" "map_reduce" "reduce" "reduce_while" "reject" "sum_by"))
((call target: (identifier) @_if (do_block) @flow.branch) (#any-of? @_if "if" "unless"))
((call target: (identifier) @_if (arguments (keywords (pair value: (_) @flow.branch)))) (#any-of? @_if "if" "unless"))
(do_block (stab_clause right: (_) @flow.branch))
(else_block (stab_clause right: (_) @flow.branch))
(binary_operator operator: ["&&" "||" "and" "or"] right: (_) @flow.branch)

; errors: declared and returned
((unary_operator operator: "@" operand: (call
  target: (identifier) @_spec
  (arguments (binary_operator operator: "::" right: [(tuple . (atom) @_error . (atom) @error.return) (tuple . (atom) @error.return @_error . [(identifier) (call)])]))))
  (#any-of? @_spec "spec" "callback") (#eq? @_error ":error"))
((unary_operator operator: "@" operand: (call
  target: (identifier) @_spec
  (arguments (binary_operator operator: "::" right: (binary_operator [(tuple . (atom) @_error . (atom) @error.return) (tuple . (atom) @error.return @_error . [(identifier) (call)])])))))
  (#any-of? @_spec "spec" "callback") (#eq? @_error ":error"))
([
  (body (tuple . (atom) @_error . (atom) @error.return))
  (do_block (tuple . (atom) @_error . (atom) @error.return))
  (pair value: (tuple . (atom) @_error . (atom) @error.return))]
  (#eq? @_error ":error"))
([
  (body (tuple . (atom) @_error . (identifier) @error.propagate))
  (do_block (tuple . (atom) @_error . (identifier) @error.propagate))
  (pair value: (tuple . (atom) @_error . (identifier) @error.propagate))]
  (#eq? @_error ":error"))

; errors: raised
((call target: (identifier) @_raise (arguments . [
  (alias) @error.raise
  (map (struct (alias) @error.raise))
  (call target: (dot left: (alias) @error.raise))
  (identifier) @error.raise
  (atom) @error.raise
  (tuple) @error.raise]))
  (#any-of? @_raise "raise" "throw"))
((call target: (identifier) @error.raise (arguments . (string))) (#eq? @error.raise "raise"))
((call target: (identifier) @error.propagate) (#eq? @error.propagate "reraise"))
((call target: (identifier) @error.panic) (#eq? @error.panic "exit"))
((call target: (dot left: (alias) @_system right: (identifier) @_halt) @error.panic)
  (#eq? @_system "System") (#any-of? @_halt "halt" "stop"))

; errors: caught
((do_block (_) @error.scope (rescue_block (stab_clause) @error.handler))
  (#not-match? @error.scope "^(rescue|catch|after|else)\\b"))
((do_block (_) @error.scope (catch_block (stab_clause) @error.handler))
  (#not-match? @error.scope "^(rescue|catch|after|else)\\b"))
(rescue_block (stab_clause left: (arguments (alias) @error.catch)) @error.handler)
(rescue_block (stab_clause left: (arguments (binary_operator
  left: (identifier) @error.variable operator: "in" right: [(alias) @error.catch (list (alias) @error.catch)])))
  @error.handler)
(catch_block (stab_clause left: (arguments . (atom) @error.catch)) @error.handler)
((stab_clause left: (arguments (tuple . (atom) @_error . (atom) @error.catch))) (#eq? @_error ":error"))

; imports; an alias is known by its last part
((call target: (identifier) @_import (arguments . (alias) @import .))
  (#any-of? @_import "alias" "require"))
((call target: (identifier) @_import (arguments . (alias) @import .))
  (#set! name "*") (#any-of? @_import "import" "use"))
((call target: (identifier) @_import (arguments
  . (alias) @import
  (keywords (pair key: (keyword) @_as value: (alias) @import.alias))))
  (#any-of? @_import "alias" "require") (#match? @_as "^as:"))
((call target: (identifier) @_import (arguments . (alias) @import (keywords . (pair key: (keyword) @_only))))
  (#set! name "*") (#any-of? @_import "import" "use") (#not-match? @_only "^(as|only):"))
((call target: (identifier) @_import (arguments
  . (alias) @import
  (keywords . (pair key: (keyword) @_only value: (list (keywords (pair key: (keyword) @import.name)))))))
  (#eq? @_import "import") (#match? @_only "^only:"))
((call target: (identifier) @_import (arguments (dot left: (alias) @import right: (tuple (alias) @import.name))))
  (#any-of? @_import "alias" "import" "require" "use"))

; bindings
(binary_operator left: (identifier) @binding operator: "=" right: (map (struct (alias) @binding.type)))
(binary_operator left: (identifier) @binding operator: "=" right: (call target: (dot) @binding.value))
(arguments (binary_operator left: (map (struct (alias) @binding.type)) operator: "=" right: (identifier) @binding))
