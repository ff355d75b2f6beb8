; Definitions. A decorated definition shares its name, which widens it.
(class_definition name: (identifier) @name superclasses: (argument_list)? body: (_) @body) @definition.class
(function_definition "async"? @modifier name: (identifier) @name parameters: (_) @parameters return_type: (_)? @result body: (_) @body) @definition.function
(decorated_definition definition: (_ name: (identifier) @name)) @outer
(decorated_definition (decorator [(identifier) (attribute)] @modifier) definition: (_ name: (identifier) @name)
  (#match? @modifier "^(\\w+\\.)*(staticmethod|classmethod|property|cached_property|abstractmethod|override|overload|final|dataclass|contextmanager|asynccontextmanager|fixture)$"))
(type_alias_statement left: (type (identifier) @name)) @definition.type
(module (expression_statement (assignment left: (identifier) @name)) @definition.constant)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition.field))
(class_definition superclasses: (argument_list [(identifier) (attribute)] @extends))
(class_definition superclasses: (argument_list (subscript value: (_) @extends)))

; Documentation.
(comment) @comment
(decorator) @attribute
(module . (comment)* . (expression_statement (string) @doc))
(class_definition body: (block . (comment)* . (expression_statement (string) @doc)))
(function_definition body: (block . (comment)* . (expression_statement (string) @doc)))

; Parameters.
(parameters [(default_parameter) (typed_default_parameter)] @parameter.optional) @parameters
(parameters [(list_splat_pattern) (dictionary_splat_pattern)] @parameter.variadic) @parameters
(parameters (typed_parameter [(list_splat_pattern) (dictionary_splat_pattern)]) @parameter.variadic) @parameters
(parameters [(keyword_separator) (positional_separator)] @parameter.marker) @parameters
(parameters . (identifier) @parameter.self) @parameters
(parameters . (typed_parameter . (identifier) @parameter.self) (#any-of? @parameter.self "self" "cls")) @parameters
(lambda_parameters) @parameters

; Calls.
(call function: (identifier) @callee arguments: (argument_list)? @arguments) @call
(call function: (attribute object: (_) @receiver attribute: (identifier) @callee) arguments: (argument_list)? @arguments) @call
(call function: (parenthesized_expression (identifier) @callee) arguments: (argument_list)? @arguments) @call
(call function: (parenthesized_expression (attribute object: (_) @receiver attribute: (identifier) @callee)) arguments: (argument_list)? @arguments) @call

; The grammar takes `*f(x)` for a call of `*f`, and `type(x).y = z` for an alias statement.
(call function: (list_splat (identifier) @callee) arguments: (argument_list)? @arguments) @call
(call function: (list_splat (attribute object: (_) @receiver attribute: (identifier) @callee)) arguments: (argument_list)? @arguments) @call
(argument_list (call function: (list_splat)) @argument.spread) @arguments
(type_alias_statement "type" @callee left: (type (attribute object: (parenthesized_expression) @arguments))) @call
(argument_list [(list_splat) (dictionary_splat)] @argument.spread) @arguments

; Flow. A while condition runs every time, a for iterable once.
(while_statement) @flow.loop
(for_statement body: (_) @flow.loop)
(if_statement consequence: (_) @flow.branch)
(elif_clause) @flow.branch
(else_clause body: (_) @flow.branch)
(case_clause) @flow.branch
(conditional_expression . (_) @flow.branch)
(conditional_expression (_) (_) (_) @flow.branch .)
(boolean_operator right: (_) @flow.branch)
(_ body: (_) @flow.loop . (for_in_clause))
((for_in_clause) (for_in_clause) @flow.loop)
((for_in_clause) (if_clause) @flow.loop)

; What runs out of source order: the clauses of a comprehension before its body, a condition before its values,
; an assigned value before its target.
(list_comprehension [(for_in_clause) (if_clause)] @order.first) @order.scope
(set_comprehension [(for_in_clause) (if_clause)] @order.first) @order.scope
(dictionary_comprehension [(for_in_clause) (if_clause)] @order.first) @order.scope
(generator_expression [(for_in_clause) (if_clause)] @order.first) @order.scope
(conditional_expression . (_) . [(comment) (line_continuation)]* . (_) @order.first) @order.scope
(assignment left: [(subscript) (attribute) (pattern_list) (tuple_pattern) (list_pattern)] right: (_) @order.first) @order.scope

; Errors.
(raise_statement . (_) @error.raise)
((raise_statement) @error.propagate (#eq? @error.propagate "raise"))
(try_statement body: (_) @error.scope (except_clause) @error.handler)
(except_clause value: [(identifier) (attribute) (call)] @error.catch) @error.handler
(except_clause value: [(tuple (_) @error.catch) (parenthesized_expression (_) @error.catch)]) @error.handler
(except_clause value: (as_pattern . [(identifier) (attribute) (call)] @error.catch)) @error.handler
(except_clause value: (as_pattern . [(tuple (_) @error.catch) (parenthesized_expression (_) @error.catch)])) @error.handler
(except_clause value: (as_pattern alias: (as_pattern_target (identifier) @error.variable))) @error.handler
; A block that is expected to fail, or may.
(with_statement
  (with_clause (with_item value: [
    (call function: [(identifier) @_with @error.handler (attribute attribute: (identifier) @_with @error.handler)] arguments: (argument_list . (_) @error.catch))
    (as_pattern (call function: [(identifier) @_with @error.handler (attribute attribute: (identifier) @_with @error.handler)] arguments: (argument_list . (_) @error.catch)))]))
  body: (_) @error.scope
  (#any-of? @_with "suppress" "raises" "assertRaises" "assertRaisesRegex"))
(with_statement
  (with_clause (with_item value: (call function: [(identifier) @_with @error.handler (attribute attribute: (identifier) @_with @error.handler)] arguments: (argument_list (_) (_) @error.catch))))
  body: (_) @error.scope
  (#eq? @_with "suppress"))
; A call that is expected to fail.
(expression_statement
  (call
    function: [(identifier) @_expect @error.handler (attribute attribute: (identifier) @_expect @error.handler)]
    arguments: (argument_list . (_) @error.catch . [(identifier) (attribute) (lambda) (call)]) @error.scope)
  (#any-of? @_expect "raises" "assertRaises"))
(expression_statement
  (call
    function: [(identifier) @_expect @error.handler (attribute attribute: (identifier) @_expect @error.handler)]
    arguments: (argument_list . (_) @error.catch . (_) . [(identifier) (attribute) (lambda) (call)]) @error.scope)
  (#eq? @_expect "assertRaisesRegex"))
; A type that is handled while the rest is raised again, and one that alone is raised again.
(if_statement condition: (call function: (identifier) @_isinstance arguments: (argument_list . (identifier) @error.variable . (_) @error.kept)) consequence: (block [(return_statement) (continue_statement) (break_statement)] .) (#eq? @_isinstance "isinstance"))
(if_statement condition: (call function: (identifier) @_isinstance arguments: (argument_list . (identifier) @error.variable . (_) @error.kept)) alternative: (else_clause body: (block (raise_statement) @_raised .)) (#eq? @_isinstance "isinstance") (#match? @_raised "^raise( \\w+)?$"))
(if_statement condition: (not_operator argument: (call function: (identifier) @_isinstance arguments: (argument_list . (identifier) @error.variable . (_) @error.kept))) consequence: (block (raise_statement) @_raised .) (#eq? @_isinstance "isinstance") (#match? @_raised "^raise( \\w+)?$"))
(if_statement condition: (call function: (identifier) @_isinstance arguments: (argument_list . (identifier) @error.variable . (_) @error.passes)) consequence: (block (raise_statement) @_raised @error.pass .) (#eq? @_isinstance "isinstance") (#match? @_raised "^raise( \\w+)?$"))
(if_statement condition: (call function: (identifier) @_isinstance arguments: (argument_list . (identifier) @error.variable . (_) @error.passes)) consequence: (block (raise_statement (identifier) @error.pass) @_raised .) (#eq? @_isinstance "isinstance") (#match? @_raised "^raise( \\w+)?$"))

; Imports.
(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (_) @import alias: (_) @import.alias))
(import_from_statement module_name: (_) @import name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import name: (aliased_import name: (_) @import.name alias: (_) @import.alias))
(import_from_statement module_name: (_) @import (wildcard_import) @import.name)
(future_import_statement name: (dotted_name) @import.name)

; Types of variables.
(typed_parameter . (identifier) @binding type: (_) @binding.type)
(typed_default_parameter name: (identifier) @binding type: (_) @binding.type)
(assignment left: [(identifier) (attribute)] @binding type: (_) @binding.type)
(assignment left: [(identifier) (attribute)] @binding right: (call function: [(identifier) (attribute)] @binding.value))
; a parameter kept in a field: its type is that of the parameter
(assignment left: (attribute) @binding !type right: (identifier) @binding.type)
(assignment left: (attribute) @binding !type right: (boolean_operator left: (identifier) @binding.type))
(assignment left: (attribute) @binding !type right: (conditional_expression . (identifier) @binding.type))
(with_item value: (as_pattern . (call function: [(identifier) (attribute)] @binding.value) alias: (as_pattern_target (identifier) @binding)))
(named_expression name: (identifier) @binding value: (call function: [(identifier) (attribute)] @binding.value))
(assignment left: (identifier) @binding right: (attribute) @binding.from)
(for_statement left: (identifier) @binding right: [(identifier) (attribute) (call)] @binding.element)
(for_in_clause left: (identifier) @binding right: [(identifier) (attribute) (call)] @binding.element)
(for_statement left: (pattern_list (_) . (identifier) @binding .) right: (call function: (identifier) @_count arguments: (argument_list . (_) @binding.element)) (#eq? @_count "enumerate"))
