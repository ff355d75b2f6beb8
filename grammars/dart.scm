; Dart. A body is the sibling that follows its signature; a call is an identifier with selectors behind it.

; definitions: types
(class_definition name: (identifier) @name) @definition.class
(mixin_declaration (identifier) @name (class_body)? @body) @definition.class
(enum_declaration name: (identifier) @name) @definition.enum
(type_alias . (type_identifier) @name . (type_parameters)? . "=") @definition.type
(type_alias . (type_identifier) @name . (type_parameters)? . "=" . (type_identifier) @result .)
(type_alias (_) . (type_identifier) @name . (formal_parameter_list)) @definition.type
(extension_type_declaration name: (identifier) @name) @definition.class
(extension_declaration class: (_) @name) @scope.type

; definitions: functions
(program
  (function_signature name: (identifier) @name (formal_parameter_list) @parameters) @definition.function
  . (function_body) @body)
(program (function_signature name: (identifier) @name (formal_parameter_list) @parameters) @definition.function)
((method_signature [
  (function_signature name: (identifier) @name (formal_parameter_list) @parameters)
  (constructor_signature name: (identifier) @name . parameters: (formal_parameter_list) @parameters)
  (factory_constructor_signature (identifier) @name . (formal_parameter_list) @parameters)
  (operator_signature (binary_operator) @name (formal_parameter_list) @parameters)]) @definition.function
  . (function_body) @body)
(declaration [
  (function_signature name: (identifier) @name (formal_parameter_list) @parameters)
  (constructor_signature name: (identifier) @name . parameters: (formal_parameter_list) @parameters)
  (constant_constructor_signature (identifier) @name . (formal_parameter_list) @parameters)]) @definition.function
(local_function_declaration (lambda_expression
  parameters: (function_signature name: (identifier) @name (formal_parameter_list) @parameters)
  body: (function_body) @body)) @definition.function
; a closure with a name
(initialized_variable_definition
  name: (identifier) @name
  value: (function_expression parameters: (formal_parameter_list) @parameters body: (_) @body)) @definition.function
(function_signature . [(type_identifier) (void_type)] @result . (type_arguments)? @result name: (identifier) @name)
; a named constructor gives what the class is
(constructor_signature . name: (identifier) @result . name: (identifier) @name)
(factory_constructor_signature . (identifier) @result . (identifier) @name)

; definitions: fields, accessors and constants
((method_signature [
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)]) @definition.field
  . (function_body) @body)
(declaration [(getter_signature name: (identifier) @name) (setter_signature name: (identifier) @name)]) @definition.field
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.field
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @definition.constant
(program (initialized_identifier_list (initialized_identifier . (identifier) @name)) @definition.constant)
(program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @definition.constant)
(enum_constant name: (identifier) @name) @definition.constant

; supertypes
(superclass (type_identifier) @extends)
(mixins (type_identifier) @extends)
(interfaces (type_identifier) @extends)
(mixin_declaration (identifier) (type_identifier) @extends)

; comments and attributes
[(comment) (documentation_comment)] @comment
(annotation) @attribute

; words that matter to callers
(class_definition (abstract) @modifier)
(method_signature "static" @modifier)
(declaration ["static" "external"] @modifier)

; parameters
(formal_parameter_list (formal_parameter) @parameter) @parameters
(formal_parameter_list (optional_formal_parameters (formal_parameter) @parameter @parameter.optional)) @parameters

; calls: on a name, on what another selector gives, by name, in a cascade, of constructors
([(identifier) (this) (super) (parenthesized_expression) (string_literal) (list_literal) (set_or_map_literal) (const_object_expression) (new_expression)] @receiver
  . (selector [
    (unconditional_assignable_selector (identifier) @callee)
    (conditional_assignable_selector (identifier) @callee)])
  . (selector (argument_part (arguments) @arguments)) @call)
((selector) @receiver
  . (selector [
    (unconditional_assignable_selector (identifier) @callee)
    (conditional_assignable_selector (identifier) @callee)])
  . (selector (argument_part (arguments) @arguments)) @call)
((identifier) @callee . (selector (argument_part (arguments) @arguments)) @call (#not-match? @callee "^(print|exit)$"))
((identifier) @receiver
  (cascade_section (cascade_selector (identifier) @callee) (argument_part (arguments) @arguments)) @call)
((super) @receiver
  . (unconditional_assignable_selector (identifier) @callee)
  . (selector (argument_part (arguments) @arguments)) @call)
; one argument and one type argument: the grammar takes the brackets for comparisons
(relational_expression
  (relational_expression . (identifier) @callee . (relational_operator) @_less)
  (relational_operator) @_greater
  (parenthesized_expression) @arguments (#eq? @_less "<") (#eq? @_greater ">")) @call
(relational_expression
  (relational_expression
    (_) @receiver
    . (selector (unconditional_assignable_selector (identifier) @callee))
    . (relational_operator) @_less)
  (relational_operator) @_greater
  (parenthesized_expression) @arguments (#eq? @_less "<") (#eq? @_greater ">")) @call
(relational_expression
  (relational_expression
    (unary_expression (await_expression (_) @receiver . (selector (unconditional_assignable_selector (identifier) @callee)) .))
    . (relational_operator) @_less)
  (relational_operator) @_greater
  (parenthesized_expression) @arguments (#eq? @_less "<") (#eq? @_greater ">")) @call
(relational_expression
  (relational_expression (unary_expression (await_expression . (identifier) @callee .)) . (relational_operator) @_less)
  (relational_operator) @_greater
  (parenthesized_expression) @arguments (#eq? @_less "<") (#eq? @_greater ">")) @call
(relational_expression
  (relational_expression) . (relational_operator) @_greater . (parenthesized_expression) @argument.whole (#eq? @_greater ">"))
(relational_expression
  (relational_expression . (identifier) @receiver . (relational_operator) @_less)
  (relational_operator) @_greater
  (dot_shorthand (identifier) @callee)
  . (selector (argument_part (arguments) @arguments)) @call (#eq? @_less "<") (#eq? @_greater ">"))
([(new_expression (type_identifier) @callee . (type_arguments)? . (arguments) @arguments)
  (const_object_expression (type_identifier) @callee . (type_arguments)? . (arguments) @arguments)] @call)
([(new_expression (type_identifier) @receiver . (type_arguments)? . (identifier) @callee . (arguments) @arguments)
  (const_object_expression (type_identifier) @receiver . (type_arguments)? . (identifier) @callee . (arguments) @arguments)
  (constructor_invocation (type_identifier) @receiver . (type_arguments)? . (identifier) @callee . (arguments) @arguments)] @call)
(initializer_list_entry (super) @receiver . (identifier) @callee . (arguments) @arguments) @call
(redirection (this) @receiver . (identifier) @callee . (arguments) @arguments) @call
(initializer_list_entry (super) @callee . (arguments) @arguments) @call
(redirection (this) @callee . (arguments) @arguments) @call

; flow
(for_statement body: (_) @flow.loop)
(while_statement condition: (_) @flow.loop)
(while_statement body: (_) @flow.loop)
(do_statement body: (_) @flow.loop)
(do_statement condition: (_) @flow.loop)
((selector (unconditional_assignable_selector (identifier) @_each))
  . (selector (argument_part (arguments (argument (function_expression) @flow.loop))))
  (#any-of? @_each "any" "every" "expand" "firstWhere" "fold" "forEach" "map" "reduce" "where"))
(if_statement consequence: (_) @flow.branch)
(if_statement alternative: (_) @flow.branch)
(switch_statement_case) @flow.branch
(switch_statement_default) @flow.branch
(conditional_expression "?" (selector) @flow.branch)
(logical_and_expression (logical_and_operator) (_) @flow.branch)
(logical_or_expression (logical_or_operator) (_) @flow.branch)
(if_null_expression "??" (selector) @flow.branch)

; errors
(throw_expression . (identifier) @error.raise .)
(throw_expression . (identifier) @error.raise . (selector (argument_part)))
((throw_expression . (identifier) @error.raise . (selector (unconditional_assignable_selector)) . (selector (argument_part)) .)
  (#match? @error.raise "^_?[A-Z]"))
((throw_expression "throw" @error.raise . (identifier) @_value . (selector (unconditional_assignable_selector)))
  (#not-match? @_value "^_?[A-Z]"))
(throw_expression [(const_object_expression (type_identifier) @error.raise) (new_expression (type_identifier) @error.raise)])
(throw_expression "throw" @error.raise . [(this) (parenthesized_expression)])
(rethrow_expression) @error.propagate
(try_statement body: (_) @error.scope (type_identifier) @error.catch . (block) @error.handler)
(try_statement
  body: (_) @error.scope
  (type_identifier) @error.catch
  . (catch_clause (catch_parameters . (identifier) @error.variable))
  . (block) @error.handler)
(try_statement
  body: (_) @error.scope
  (catch_clause (catch_parameters . (identifier) @error.variable))
  . (block) @error.handler)
(assert_statement (assertion (assert_builtin) @error.panic))
((identifier) @error.panic . (selector (argument_part)) (#eq? @error.panic "exit"))

; imports
(import_specification (configurable_uri (uri (string_literal) @import)) (combinator "show" (identifier) @import.name))
(import_specification (configurable_uri (uri (string_literal) @import)) (identifier) @import.alias)
(import_specification (configurable_uri (uri (string_literal) @import)))
(library_export (configurable_uri (uri (string_literal) @import)))
(part_directive (uri (string_literal) @import))
(part_of_directive (uri (string_literal) @import))

; bindings
(formal_parameter (type_identifier) @binding.type . (type_arguments)? @binding.type name: (identifier) @binding)
(declaration
  (type_identifier) @binding.type
  . (type_arguments)? @binding.type
  (initialized_identifier_list (initialized_identifier . (identifier) @binding)))
(initialized_variable_definition (type_identifier) @binding.type . (type_arguments)? @binding.type name: (identifier) @binding)
(initialized_variable_definition
  name: (identifier) @binding
  value: (identifier) @binding.value
  . value: (selector (argument_part)))
(initialized_identifier . (identifier) @binding . (identifier) @binding.value . (selector (argument_part)))
(assignment_expression
  left: (assignable_expression . (identifier) @binding .)
  right: (identifier) @binding.value
  . right: (selector (argument_part)))
(initialized_variable_definition name: (identifier) @binding . value: (_) @binding.from (selector) @binding.from .)
(initialized_variable_definition name: (identifier) @binding . value: (identifier) @binding.from .)
(initialized_variable_definition name: (identifier) @binding value: (unary_expression (await_expression)) @binding.from)
(assignment_expression
  left: (assignable_expression . (identifier) @binding .)
  . right: (_) @binding.from
  (selector) @binding.from .)
(assignment_expression
  left: (assignable_expression . (identifier) @binding .)
  right: (unary_expression (await_expression)) @binding.from)
(for_loop_parts name: (identifier) @binding value: (identifier) @binding.element)
