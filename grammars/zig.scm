; Zig. Types are values of constants; errors are values that `try` hands on.

; definitions: types
(variable_declaration . (identifier) @name (struct_declaration) @body) @definition.class
(variable_declaration . (identifier) @name (union_declaration) @body) @definition.class
(variable_declaration . (identifier) @name (opaque_declaration) @body) @definition.class
(variable_declaration . (identifier) @name (enum_declaration) @body) @definition.enum
(variable_declaration . (identifier) @name (error_set_declaration) @body) @definition.enum
; a function that makes a type lends its name to the members
(return_expression (struct_declaration) @scope.type)

; definitions: functions
(function_declaration name: (identifier) @name (parameters) @parameters type: (_)? @result body: (_)? @body) @definition.function
(test_declaration (string (string_content) @name) (block) @body) @definition.function

; definitions: constants and fields; what is imported is no definition
((source_file (variable_declaration . (identifier) @name) @definition.constant)
  (#not-match? @definition.constant "@import\\("))
((struct_declaration (variable_declaration . (identifier) @name) @definition.constant)
  (#not-match? @definition.constant "@(import|This)\\("))
(container_field name: (identifier) @name) @definition.field
(error_set_declaration (identifier) @name @definition.constant)

; comments
(comment) @comment

; words that matter to callers
(function_declaration ["pub" "extern" "export" "inline"] @modifier name: (_))
(variable_declaration "pub" @modifier)

; parameters
((parameters . (parameter name: (identifier) @_self) @parameter.self) @parameters (#eq? @_self "self"))
(parameters (parameter "...") @parameter.variadic) @parameters

; calls
((call_expression function: (identifier) @callee) @call)
; the grammar takes what is negated for a type
(call_expression function: (error_union_type ok: (identifier) @callee)) @call
(call_expression function: (field_expression object: (error_union_type ok: (_) @receiver) member: (identifier) @callee)) @call
(call_expression function: (field_expression object: (_) @receiver member: (identifier) @callee)) @call

; flow
(for_statement body: (_) @flow.loop)
(while_statement condition: (_) @flow.loop)
(while_statement body: (_) @flow.loop)
(if_statement body: (_) @flow.branch)
(if_expression (_) (_) @flow.branch)
(else_clause) @flow.branch
(switch_case) @flow.branch
(binary_expression operator: ["and" "or" "orelse"] right: (_) @flow.branch)

; errors: the result type
(function_declaration type: (error_union_type error: (_) @error.return))
(function_declaration type: (error_union_type !error "!" @error.return))

; errors: made and handed on
(return_expression (error_type (identifier) @error.raise))
((return_expression (field_expression object: (identifier) @_set member: (identifier) @error.raise))
  (#match? @_set "(Error|Err)$"))
((return_expression (identifier) @error.propagate) (#any-of? @error.propagate "e" "err"))
(try_expression) @error.propagate

; errors: caught
(catch_expression . (_) @error.scope (_) @error.handler .)
(catch_expression (payload (identifier) @error.variable) (_) @error.handler .)
(catch_expression (switch_expression (switch_case . (error_type (identifier) @error.catch))))
(if_statement
  condition: (_) @error.scope
  (else_clause (payload (identifier) @error.variable)) @error.handler)

; errors: the program ends
((builtin_function (builtin_identifier) @_panic) @error.panic (#eq? @_panic "@panic"))
"unreachable" @error.panic
((call_expression function: (field_expression member: (identifier) @_exit) @error.panic)
  (#match? @error.panic "process\\.(exit|abort)$"))

; imports
((variable_declaration
  . (identifier) @import.alias
  (builtin_function (builtin_identifier) @_import (arguments (string (string_content) @import))))
  (#eq? @_import "@import"))

; bindings
(parameter name: (identifier) @binding type: (_) @binding.type)
(container_field name: (identifier) @binding type: (_) @binding.type)
(variable_declaration . (identifier) @binding type: (_) @binding.type)
(variable_declaration . (identifier) @binding (struct_initializer . (_) @binding.type))
(variable_declaration . (identifier) @binding (call_expression function: (_) @binding.value))
(variable_declaration . (identifier) @binding (try_expression (call_expression function: (_) @binding.value)))
(variable_declaration . (identifier) @binding [
  (null_coercion_expression (_) @binding.from)
  (binary_expression left: (_) @binding.from operator: "orelse")
  (unary_expression argument: (field_expression) @binding.from)
  (field_expression) @binding.from
  (index_expression) @binding.from
  (catch_expression . (call_expression function: (_) @binding.value))])
; what a condition or a loop hands to its body
(if_statement condition: (_) @binding.from (payload (identifier) @binding)) @binding.scope
(while_statement condition: (_) @binding.from (payload (identifier) @binding)) @binding.scope
(for_statement . [(identifier) (field_expression)] @binding.element (payload . (identifier) @binding)) @binding.scope
(else_clause (payload (identifier) @binding)) @binding.scope
(switch_case (payload (identifier) @binding)) @binding.scope
