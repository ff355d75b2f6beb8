; Swift. Struct, class, enum, actor and extension are one node type; parameters stand in no list of their own.

; definitions: types
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @definition.enum
(class_declaration declaration_kind: ["class" "struct" "actor"] name: (type_identifier) @name) @definition.class
(protocol_declaration name: (type_identifier) @name) @definition.interface
(typealias_declaration . (modifiers)? . "typealias" . name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(class_declaration declaration_kind: "extension" name: (user_type) @name) @scope.type

; definitions: functions
(function_declaration name: [(simple_identifier) (custom_operator) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "+=" "-="] @name) @definition.function
(protocol_function_declaration name: [(simple_identifier) (custom_operator) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "+=" "-="] @name) @definition.function
(init_declaration name: "init" @name) @definition.function
(deinit_declaration "deinit" @name) @definition.function
(subscript_declaration "subscript" @name (computed_property) @body) @definition.function
; a closure with a name
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: (lambda_literal) @body) @definition.function
(function_declaration name: [(simple_identifier) (custom_operator) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "+=" "-="] @name "->" . (_) @result)
(protocol_function_declaration name: [(simple_identifier) (custom_operator) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "+=" "-="] @name "->" . (_) @result)

; definitions: properties and constants
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.constant)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field)
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (computed_property) @body)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field
(enum_entry name: (simple_identifier) @name) @definition.constant

; supertypes
(inheritance_specifier inherits_from: (_) @extends)

; comments and attributes
[(comment) (multiline_comment)] @comment
(attribute) @attribute

; words that matter to callers
(modifiers [
  (visibility_modifier) (inheritance_modifier) (member_modifier) (property_modifier) (mutation_modifier)] @modifier)
(function_declaration "async" @modifier)

; parameters: the declaration itself is their list, empty parentheses are one too
(function_declaration name: [(simple_identifier) (custom_operator) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "+=" "-="] @name (parameter) @parameter) @parameters
(function_declaration name: [(simple_identifier) (custom_operator) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "+=" "-="] @name "(" @parameters . ")")
(protocol_function_declaration name: [(simple_identifier) (custom_operator) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "+=" "-="] @name (parameter) @parameter) @parameters
(protocol_function_declaration name: [(simple_identifier) (custom_operator) "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "+=" "-="] @name "(" @parameters . ")")
(init_declaration "init" @name (parameter) @parameter) @parameters
(init_declaration "init" @name "(" @parameters . ")")
(subscript_declaration "subscript" @name (parameter) @parameter) @parameters
(function_declaration (parameter) @parameter.optional . "=") @parameters
(init_declaration (parameter) @parameter.optional . "=") @parameters
(function_declaration (parameter "...") @parameter.variadic) @parameters

; calls; the grammar takes an index in brackets for one; a closure after the brackets is one more argument
((call_expression
  . (call_expression . (simple_identifier) @callee (call_suffix (value_arguments) @arguments)) @call
  . (call_suffix (lambda_literal) @argument.spread))
  (#not-match? @callee "^(fatalError|precondition|preconditionFailure|assert|assertionFailure|defer|print|exit|abort|min|max|type)$"))
(call_expression
  . (call_expression
    . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee))
    (call_suffix (value_arguments) @arguments)) @call
  . (call_suffix (lambda_literal) @argument.spread))
(call_suffix (value_arguments) @arguments . (lambda_literal) @argument.spread)
; what is negated, added or multiplied: the operation stands around the name alone
((call_expression
  . [
    (prefix_expression operation: [(bang) "-" "~" "&"] target: (simple_identifier) @callee)
    (additive_expression rhs: (simple_identifier) @callee)
    (multiplicative_expression rhs: (simple_identifier) @callee)]
  (call_suffix (value_arguments)? @arguments) @_suffix) @call
  (#not-match? @_suffix "^\\["))
((call_expression
  . [
    (prefix_expression
      operation: [(bang) "-" "~" "&"]
      target: (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee)))
    (additive_expression
      rhs: (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee)))
    (multiplicative_expression
      rhs: (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee)))]
  (call_suffix (value_arguments)? @arguments) @_suffix) @call
  (#not-match? @_suffix "^\\["))
((call_expression . (simple_identifier) @callee (call_suffix (value_arguments)? @arguments) @_suffix) @call
  (#not-match? @_suffix "^\\[")
  (#not-match? @callee "^(fatalError|precondition|preconditionFailure|assert|assertionFailure|defer|print|exit|abort|min|max|type)$"))
((call_expression
  . (navigation_expression
    target: (_) @receiver
    suffix: (navigation_suffix suffix: (simple_identifier) @callee))
  (call_suffix (value_arguments)? @arguments) @_suffix) @call
  (#not-match? @_suffix "^\\["))

; flow
(for_statement (where_clause) @flow.loop)
(for_statement (statements) @flow.loop)
(while_statement condition: (_) @flow.loop)
(while_statement (statements) @flow.loop)
(repeat_while_statement (statements) @flow.loop)
(repeat_while_statement condition: (_) @flow.loop)
((call_expression
  . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @_each))
  (call_suffix (lambda_literal) @flow.loop))
  (#any-of? @_each "forEach" "map" "compactMap" "flatMap" "filter" "reduce" "first" "contains" "allSatisfy" "sorted"))
((call_expression
  . (call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @_each)))
  (call_suffix (lambda_literal) @flow.loop))
  (#any-of? @_each "reduce" "forEach" "map" "compactMap" "flatMap" "filter"))
(if_statement (statements) @flow.branch)
(guard_statement (statements) @flow.branch)
(switch_entry) @flow.branch
(ternary_expression if_true: (_) @flow.branch)
(ternary_expression if_false: (_) @flow.branch)
(disjunction_expression rhs: (_) @flow.branch)
(conjunction_expression rhs: (_) @flow.branch)
(nil_coalescing_expression if_nil: (_) @flow.branch)

; errors: declared and returned
; what a parameter that is a function throws is not thrown here
(function_declaration (throws) @error.declare)
(function_declaration (throws_clause type: (_) @error.declare))
(protocol_function_declaration (throws) @error.declare)
(protocol_function_declaration (throws_clause type: (_) @error.declare))
(init_declaration (throws) @error.declare)
(getter_specifier (throws) @error.declare)
(property_declaration value: (lambda_literal type: (lambda_function_type (throws) @error.declare)))
(function_declaration "->" . (user_type . (type_identifier) @_result) @error.return (#eq? @_result "Result"))

; errors: thrown; a case stands for its enum
(control_transfer_statement (throw_keyword) . (navigation_expression target: (_) @error.raise))
(control_transfer_statement (throw_keyword)
  . (call_expression . (navigation_expression target: (simple_identifier) @error.raise)))
(control_transfer_statement (throw_keyword) . (call_expression . (simple_identifier)) @error.raise)
((control_transfer_statement (throw_keyword) . (simple_identifier) @error.raise) (#not-eq? @error.raise "error"))
; `error` is the name that a bare `catch` binds
((control_transfer_statement (throw_keyword) . (simple_identifier) @error.propagate)
  (#eq? @error.propagate "error"))
((try_expression (try_operator) @_try) @error.propagate (#eq? @_try "try"))

; errors: caught
(do_statement (statements) @error.scope (catch_block) @error.handler)
(catch_block error: (pattern (user_type) @error.catch)) @error.handler
(catch_block error: (pattern (pattern bound_identifier: (_) @error.variable) name: (user_type) @error.catch)) @error.handler
((try_expression (try_operator) @error.handler expr: (_) @error.scope) (#eq? @error.handler "try?"))
((call_expression . (simple_identifier) @error.handler (call_suffix (value_arguments . (value_argument value: (_) @error.scope))))
  (#any-of? @error.handler "XCTAssertThrowsError" "XCTAssertNoThrow"))
((macro_invocation (simple_identifier) @error.handler (call_suffix (lambda_literal) @error.scope) @_suffix)
  (#eq? @error.handler "expect") (#match? @_suffix "throws:"))

; errors: the program ends
((call_expression . (simple_identifier) @_panic) @error.panic
  (#any-of? @_panic "fatalError" "precondition" "preconditionFailure" "assert" "assertionFailure" "exit" "abort"))
((try_expression (try_operator) @error.panic) (#eq? @error.panic "try!"))

; imports
(import_declaration (identifier) @import)

; bindings
(parameter name: (simple_identifier) @binding . ":" . (_) @binding.type)
(lambda_literal type: (lambda_function_type (lambda_function_type_parameters (lambda_parameter name: (simple_identifier) @binding . ":" . (_) @binding.type)))) @binding.scope
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding)
  (type_annotation ":" . (_) @binding.type))
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding)
  (type_annotation ":" . (_) @binding.type))
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding)
  value: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value))
(assignment
  target: (directly_assignable_expression (navigation_expression target: (self_expression)) @binding)
  result: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value))
(property_declaration name: (pattern bound_identifier: (simple_identifier) @binding) value: [(simple_identifier) (navigation_expression)] @binding.from)
(for_statement item: (pattern bound_identifier: (simple_identifier) @binding) collection: [(simple_identifier) (navigation_expression)] @binding.element) @binding.scope
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @binding)
  value: [
    (try_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value))
    (try_expression expr: (await_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value)))
    (await_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value))])
(guard_statement bound_identifier: (simple_identifier) @binding . "=" . [
  (call_expression . [(simple_identifier) (navigation_expression)] @binding.value)
  (navigation_expression) @binding.from
  (simple_identifier) @binding.from
  (try_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value))
  (try_expression expr: (await_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value)))
  (await_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value))
  (as_expression type: (_) @binding.type)])
(if_statement bound_identifier: (simple_identifier) @binding . "=" . [
  (call_expression . [(simple_identifier) (navigation_expression)] @binding.value)
  (navigation_expression) @binding.from
  (simple_identifier) @binding.from
  (try_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value))
  (try_expression expr: (await_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value)))
  (await_expression expr: (call_expression . [(simple_identifier) (navigation_expression)] @binding.value))
  (as_expression type: (_) @binding.type)]) @binding.scope
; variables of which nothing more is known hide what bears their name outside
(guard_statement bound_identifier: (simple_identifier) @binding)
(if_statement bound_identifier: (simple_identifier) @binding) @binding.scope
(switch_entry (switch_pattern (pattern (pattern bound_identifier: (simple_identifier) @binding)))) @binding.scope
(switch_entry (switch_pattern (pattern (value_binding_pattern) (pattern bound_identifier: (simple_identifier) @binding) name: (user_type) @binding.type))) @binding.scope
(lambda_literal type: (lambda_function_type (lambda_function_type_parameters (lambda_parameter name: (simple_identifier) @binding)))) @binding.scope
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @binding)))
(for_statement item: (pattern bound_identifier: (simple_identifier) @binding)) @binding.scope
; what a closure gets from the call that it is handed to
(call_expression
  . [(simple_identifier) (navigation_expression)] @binding.block
  (call_suffix (lambda_literal type: (lambda_function_type (lambda_function_type_parameters (lambda_parameter name: (simple_identifier) @binding)))) @binding.scope .))
((call_expression
  . [(simple_identifier) (navigation_expression)] @binding.block
  (call_suffix (lambda_literal) @binding @binding.scope .))
  (#set! name "$0"))
