; Rust. `impl` blocks give their members a type; attributes are siblings of what they annotate.

; definitions
(struct_item name: (type_identifier) @name) @definition.class
(union_item name: (type_identifier) @name) @definition.class
(enum_item name: (type_identifier) @name) @definition.enum
(trait_item name: (type_identifier) @name) @definition.interface
(type_item name: (type_identifier) @name type: (_) @result) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.constant
(macro_definition name: (identifier) @name) @definition.macro
(function_item
  name: (_) @name
  parameters: (parameters) @parameters
  return_type: (_)? @result) @definition.function
(function_signature_item
  name: (_) @name
  parameters: (parameters) @parameters
  return_type: (_)? @result) @definition.function
(let_declaration
  pattern: (identifier) @name
  value: (closure_expression parameters: (closure_parameters) @parameters body: (_) @body)) @definition.function
(struct_item body: (_ (field_declaration name: (field_identifier) @name) @definition.field))
(union_item body: (_ (field_declaration name: (field_identifier) @name) @definition.field))
(enum_variant name: (identifier) @name) @definition.constant

; scopes
(mod_item name: (identifier) @name body: (_)) @scope.module
(impl_item type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (_) @name))
  (scoped_type_identifier name: (_) @name)
  (reference_type type: (type_identifier) @name)
  (reference_type type: (generic_type type: (type_identifier) @name))
  (reference_type type: [(array_type) (primitive_type) (tuple_type)] @name)
  (reference_type type: (dynamic_type trait: (_) @name))
  (pointer_type type: (type_identifier) @name)
  (dynamic_type trait: (type_identifier) @name)
  (function_type) @name
  (primitive_type) @name
  (array_type) @name
  (tuple_type) @name]) @scope.type

; supertypes
(impl_item trait: (_) @extends)
(trait_item bounds: (trait_bounds (_) @extends))

; comments and attributes
[(line_comment) (block_comment)] @comment
[(attribute_item) (inner_attribute_item)] @attribute @contract

; words that matter to callers
(_ (visibility_modifier) @modifier name: (_))
(function_modifiers ["async" "unsafe" "const"] @modifier)

; parameters
(parameters (self_parameter) @parameter.self) @parameters
(parameters (variadic_parameter) @parameter.variadic) @parameters
(parameters (attribute_item) @parameter.marker) @parameters

; calls; wrappers of results and values are no calls
((call_expression function: (identifier) @callee arguments: (arguments) @arguments) @call
  (#not-match? @callee "^(Ok|Err|Some|None)$"))
(call_expression
  function: (scoped_identifier path: (_) @receiver name: (identifier) @callee)
  arguments: (arguments) @arguments) @call
(call_expression
  function: (field_expression value: (_) @receiver field: (field_identifier) @callee)
  arguments: (arguments) @arguments) @call
(call_expression
  function: (generic_function function: (identifier) @callee)
  arguments: (arguments) @arguments) @call
(call_expression
  function: (generic_function function: (scoped_identifier path: (_) @receiver name: (_) @callee))
  arguments: (arguments) @arguments) @call
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (_) @callee))
  arguments: (arguments) @arguments) @call
((macro_invocation macro: (_) @callee) @call
  (#not-match? @callee "^(std::)?(vec|format|print|println|eprint|eprintln|write|writeln|assert|assert_eq|assert_ne|debug_assert|debug_assert_eq|debug_assert_ne|panic|todo|unimplemented|unreachable|matches|concat|stringify|include_str|env|cfg|dbg)$"))
; arguments of macros are bare tokens: what is joined to a name before the brackets is its receiver
((token_tree (identifier) @callee . (token_tree . "(") @call)
  (#not-match? @callee "^(Ok|Err|Some|None)$"))

; flow
(for_expression body: (block) @flow.loop)
(while_expression condition: (_) @flow.loop)
(while_expression body: (block) @flow.loop)
(loop_expression body: (block) @flow.loop)
(if_expression consequence: (block) @flow.branch)
(else_clause) @flow.branch
(match_arm) @flow.branch
(let_declaration alternative: (block) @flow.branch)
((call_expression
  function: (field_expression field: (field_identifier) @_each)
  arguments: (arguments (closure_expression body: (_) @flow.loop)))
  (#any-of? @_each "for_each" "any" "all" "flat_map" "filter_map" "find_map" "fold" "try_fold" "try_for_each" "position" "take_while" "skip_while" "inspect" "retain" "sort_by" "sort_by_key"))
((call_expression
  function: (field_expression field: (field_identifier) @_if)
  arguments: (arguments (closure_expression body: (_) @flow.branch)))
  (#any-of? @_if "and_then" "or_else" "unwrap_or_else" "ok_or_else" "map_or_else" "map_err" "then" "get_or_insert_with" "or_insert_with" "is_some_and" "is_ok_and"))
(binary_expression operator: ["&&" "||"] right: (_) @flow.branch)

; errors: the result type; the error type when it is written, else the name of the result
(function_item return_type: (generic_type
  type: [(type_identifier) (scoped_type_identifier)] @_poll
  type_arguments: (type_arguments . (generic_type
    type: [(type_identifier) (scoped_type_identifier)] @_result
    type_arguments: (type_arguments (_) . (_) @error.return .))))
  (#match? @_poll "(Poll|Option|ControlFlow)$") (#match? @_result "Result$"))
(function_item return_type: (generic_type
  type: [(type_identifier) (scoped_type_identifier)] @_result
  type_arguments: (type_arguments (_) . (_) @error.return .))
  (#match? @_result "Result$"))
(function_item return_type: (generic_type
  type: [(type_identifier) (scoped_type_identifier)] @error.return
  type_arguments: (type_arguments . (_) .))
  (#match? @error.return "(Result|Option)$"))
(function_item return_type: [(type_identifier) (scoped_type_identifier)] @error.return
  (#match? @error.return "Result$"))
(function_signature_item return_type: (generic_type
  type: [(type_identifier) (scoped_type_identifier)] @_result
  type_arguments: (type_arguments (_) . (_) @error.return .))
  (#match? @_result "Result$"))

; errors: made here
((call_expression function: (identifier) @_err arguments: (arguments . [
  (scoped_identifier)
  (struct_expression)
  (call_expression function: (scoped_identifier))
  (macro_invocation)] @error.raise))
  (#eq? @_err "Err") (#not-match? @error.raise "^(Box|Arc|Rc)::new|::from\\("))
((call_expression function: (identifier) @_err arguments: (arguments . (call_expression
  function: (identifier) @_type) @error.raise))
  (#eq? @_err "Err") (#match? @_type "^[A-Z]"))
; made and put into something else: `X.into()`, `Box::new(X)`, `From::from(X)`
((call_expression function: (identifier) @_err arguments: (arguments . (call_expression
  function: (field_expression
    value: [(scoped_identifier) (struct_expression) (call_expression function: (scoped_identifier))] @error.raise
    field: (field_identifier) @_into))))
  (#eq? @_err "Err") (#eq? @_into "into"))
((call_expression function: (identifier) @_err arguments: (arguments . (call_expression
  function: (field_expression
    value: (call_expression function: (identifier) @_type) @error.raise
    field: (field_identifier) @_into))))
  (#eq? @_err "Err") (#eq? @_into "into") (#match? @_type "^[A-Z]"))
((call_expression function: (identifier) @_err arguments: (arguments . (call_expression
  function: (scoped_identifier) @_wrap
  arguments: (arguments . [(scoped_identifier) (struct_expression) (call_expression function: (scoped_identifier))] @error.raise))))
  (#eq? @_err "Err") (#match? @_wrap "^(Box|Arc|Rc)::new$|::from$"))
((call_expression function: (identifier) @_err arguments: (arguments . (call_expression
  function: (scoped_identifier) @_wrap
  arguments: (arguments . (call_expression function: (identifier) @_type) @error.raise))))
  (#eq? @_err "Err") (#match? @_wrap "^(Box|Arc|Rc)::new$|::from$") (#match? @_type "^[A-Z]"))
((call_expression function: (identifier) @_err arguments: (arguments . (identifier) @error.raise))
  (#eq? @_err "Err") (#match? @error.raise "^[A-Z]"))
((call_expression
  function: (field_expression field: (field_identifier) @_or)
  arguments: (arguments . [
    (scoped_identifier) @error.raise
    (struct_expression name: (_) @error.raise)
    (call_expression function: (scoped_identifier) @error.raise)
    (closure_expression body: (scoped_identifier) @error.raise)
    (closure_expression body: (struct_expression name: (_) @error.raise))
    (closure_expression body: (call_expression function: (scoped_identifier) @error.raise))]))
  (#any-of? @_or "ok_or" "ok_or_else" "map_err"))
((macro_invocation macro: (_) @_bail) @error.raise (#match? @_bail "^(anyhow::|eyre::)?(bail|ensure)$"))

; errors: handed on
(try_expression) @error.propagate
((call_expression function: (identifier) @_err arguments: (arguments . (identifier) @error.propagate))
  (#eq? @_err "Err") (#match? @error.propagate "^[a-z_]"))

; errors: handled by an arm or an `if let`; what follows a plain name binds any error
((match_expression
  value: (_) @error.scope
  body: (match_block (match_arm
    pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_err . (identifier) @error.variable))) @error.handler))
  (#eq? @_err "Err"))
((match_expression
  value: (_) @error.scope
  body: (match_block (match_arm
    pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_err . [
      (scoped_identifier) @error.catch
      (tuple_struct_pattern type: (_) @error.catch)
      (struct_pattern type: (_) @error.catch)]))) @error.handler))
  (#eq? @_err "Err"))
((if_expression
  condition: (let_condition
    pattern: (tuple_struct_pattern type: (identifier) @_err . (identifier) @error.variable)
    value: (_) @error.scope)
  consequence: (block) @error.handler)
  (#eq? @_err "Err"))
((if_expression
  condition: (let_condition
    pattern: (tuple_struct_pattern type: (identifier) @_err . [
      (scoped_identifier) @error.catch
      (tuple_struct_pattern type: (_) @error.catch)
      (struct_pattern type: (_) @error.catch)])
    value: (_) @error.scope)
  consequence: (block) @error.handler)
  (#eq? @_err "Err"))

; errors: the program ends
((macro_invocation macro: (identifier) @_panic) @error.panic
  (#any-of? @_panic "panic" "todo" "unimplemented" "unreachable" "assert" "assert_eq" "assert_ne"))
((call_expression function: (field_expression field: (field_identifier) @error.panic))
  (#any-of? @error.panic "unwrap" "expect"))
((call_expression function: (scoped_identifier) @error.panic) (#match? @error.panic "process::(exit|abort)$"))

; imports
(use_declaration argument: (identifier) @import)
(use_declaration argument: (scoped_identifier path: (_) @import name: (_) @import.name))
(use_declaration argument: (use_as_clause path: (identifier) @import alias: (_) @import.alias))
(use_declaration argument: (use_as_clause
  path: (scoped_identifier path: (_) @import name: (_) @import.name)
  alias: (_) @import.alias))
(use_declaration argument: (use_wildcard (_) @import "*" @import.name))
(use_declaration argument: (scoped_use_list
  path: (_) @import
  list: (use_list [(identifier) (scoped_identifier)] @import.name)))
(use_declaration argument: (scoped_use_list path: (_) @import list: (use_list (self))))
(use_declaration argument: (scoped_use_list
  path: (_) @import
  list: (use_list (use_as_clause path: (_) @import.name alias: (_) @import.alias))))

; bindings
(parameter pattern: (identifier) @binding type: (_) @binding.type)
(struct_item body: (_ (field_declaration name: (field_identifier) @binding type: (_) @binding.type)))
(const_item name: (identifier) @binding type: (_) @binding.type)
(static_item name: (identifier) @binding type: (_) @binding.type)
(let_declaration pattern: (identifier) @binding type: (_) @binding.type) @binding.after
(let_declaration pattern: (identifier) @binding value: (struct_expression name: (_) @binding.type)) @binding.after
(let_declaration pattern: (identifier) @binding value: (call_expression function: (_) @binding.value)) @binding.after
(let_declaration pattern: (identifier) @binding value: (try_expression (call_expression function: (_) @binding.value))) @binding.after
(let_declaration pattern: (identifier) @binding value: (await_expression (call_expression function: (_) @binding.value))) @binding.after
(let_declaration pattern: (identifier) @binding value: [(identifier) (field_expression) (reference_expression value: [(identifier) (field_expression)])] @binding.from) @binding.after
(let_declaration pattern: (identifier) @binding value: (try_expression (await_expression (call_expression function: (_) @binding.value)))) @binding.after
(for_expression pattern: (identifier) @binding value: [(identifier) (field_expression) (reference_expression) (call_expression)] @binding.element) @binding.scope
; what stands in `Some` and `Ok` is of the type that its wrapper holds
([(if_expression condition: (let_condition
    pattern: (tuple_struct_pattern type: (identifier) @_some . [(identifier) @binding (ref_pattern (identifier) @binding) (mut_pattern (identifier) @binding)] .)
    value: (_) @binding.from))
  (while_expression condition: (let_condition
    pattern: (tuple_struct_pattern type: (identifier) @_some . [(identifier) @binding (mut_pattern (identifier) @binding)] .)
    value: (_) @binding.from))] @binding.scope
  (#any-of? @_some "Some" "Ok"))
((let_declaration
  pattern: (tuple_struct_pattern type: (identifier) @_some . [(identifier) @binding (mut_pattern (identifier) @binding)] .)
  value: (_) @binding.from) @binding.after
  (#any-of? @_some "Some" "Ok"))
((match_expression
  value: (_) @binding.from
  body: (match_block (match_arm
    pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_some . [(identifier) @binding (ref_pattern (identifier) @binding) (mut_pattern (identifier) @binding)] .))) @binding.scope))
  (#any-of? @_some "Some" "Ok"))
; elements by turns
((call_expression
  function: (field_expression value: (_) @binding.element field: (field_identifier) @_each)
  arguments: (arguments . (closure_expression parameters: (closure_parameters . [(identifier) @binding (reference_pattern (identifier) @binding)] .)) @binding.scope))
  (#any-of? @_each "map" "filter" "for_each" "any" "all" "flat_map" "filter_map" "find" "position" "take_while" "skip_while" "inspect"))
; variables of which nothing more is known hide what bears their name outside
(closure_expression parameters: (closure_parameters (identifier) @binding)) @binding.scope
(closure_expression parameters: (closure_parameters (parameter pattern: (identifier) @binding type: (_) @binding.type))) @binding.scope
(closure_expression parameters: (closure_parameters [
  (reference_pattern (identifier) @binding)
  (tuple_pattern (identifier) @binding)
  (reference_pattern (tuple_pattern (identifier) @binding))])) @binding.scope
(let_declaration pattern: (identifier) @binding) @binding.after
(let_declaration pattern: (tuple_pattern (identifier) @binding)) @binding.after
; of several results the first one is known
(let_declaration
  pattern: (tuple_pattern . (identifier) @binding)
  value: [
    (call_expression function: (_) @binding.value)
    (try_expression [(call_expression function: (_) @binding.value) (await_expression (call_expression function: (_) @binding.value))])
    (await_expression (call_expression function: (_) @binding.value))]) @binding.after
(for_expression pattern: [(identifier) @binding (tuple_pattern (identifier) @binding)]) @binding.scope
(match_arm pattern: (match_pattern (tuple_struct_pattern type: (_) (identifier) @binding)) (#match? @binding "^[a-z_]")) @binding.scope
(match_arm pattern: (match_pattern (tuple_struct_pattern (tuple_struct_pattern type: (_) (identifier) @binding))) (#match? @binding "^[a-z_]")) @binding.scope
(match_arm pattern: (match_pattern (tuple_pattern (tuple_struct_pattern type: (_) (identifier) @binding))) (#match? @binding "^[a-z_]")) @binding.scope
((let_condition pattern: (tuple_struct_pattern type: (_) (identifier) @binding)) (#match? @binding "^[a-z_]"))
(field_pattern name: (shorthand_field_identifier) @binding)
(field_pattern pattern: (identifier) @binding)
(captured_pattern . (identifier) @binding)
