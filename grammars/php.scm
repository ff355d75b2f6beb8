; PHP. The namespace, with and without braces, is the file's package.

(namespace_definition name: (_) @package)

; definitions: types
(class_declaration name: (name) @name) @definition.class
(trait_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(enum_declaration name: (name) @name) @definition.enum

; definitions: functions
(function_definition
  name: (name) @name
  parameters: (formal_parameters) @parameters
  return_type: (_)? @result) @definition.function
(method_declaration
  name: (name) @name
  parameters: (formal_parameters) @parameters
  return_type: (_)? @result) @definition.function
(method_declaration
  name: (name) @name
  !return_type
  body: (compound_statement (return_statement (object_creation_expression [(name) (qualified_name)] @result)) .))
; a closure with a name
(assignment_expression
  left: (variable_name (name) @name)
  right: [
    (anonymous_function parameters: (formal_parameters) @parameters body: (_) @body)
    (arrow_function parameters: (formal_parameters) @parameters body: (_) @body)]) @definition.function

; definitions: fields and constants
(property_declaration (property_element name: (variable_name (name) @name))) @definition.field
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field
(enum_case name: (name) @name) @definition.constant
(const_declaration (const_element . (name) @name)) @definition.constant
((function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))) @definition.constant
  (#eq? @_define "define"))

; supertypes and traits
(_ name: (name) (base_clause (_) @extends))
(_ name: (name) (class_interface_clause (_) @extends))
(use_declaration [(name) (qualified_name)] @extends)

; comments and attributes
(comment) @comment
(attribute_list) @attribute

; words that matter to callers
(_ [(visibility_modifier) (static_modifier) (abstract_modifier) (final_modifier)] @modifier name: (name))
(property_declaration [(visibility_modifier) (static_modifier)] @modifier)

; parameters
(formal_parameters [
  (simple_parameter default_value: (_))
  (property_promotion_parameter default_value: (_))] @parameter.optional) @parameters
(formal_parameters (variadic_parameter) @parameter.variadic) @parameters

; calls: plain, on an object, on one that may be null, on a class, constructors
((function_call_expression
  function: [(name) (qualified_name) (variable_name)] @callee
  arguments: (arguments) @arguments) @call
  (#not-match? @callee "^(define|die|trigger_error|isset|empty|unset|compact|count|is_\\w+|in_array|sprintf|printf)$"))
(member_call_expression
  object: (_) @receiver
  name: (name) @callee
  arguments: (arguments) @arguments) @call
(nullsafe_member_call_expression
  object: (_) @receiver
  name: (name) @callee
  arguments: (arguments) @arguments) @call
(scoped_call_expression
  scope: (_) @receiver
  name: (name) @callee
  arguments: (arguments) @arguments) @call
(object_creation_expression [(name) (qualified_name)] @callee (arguments)? @arguments) @call
(arguments (argument (variadic_unpacking) @argument.spread)) @arguments

; flow
(for_statement condition: (_) @flow.loop)
(for_statement update: (_) @flow.loop)
(for_statement body: (_) @flow.loop)
(foreach_statement body: (_) @flow.loop)
(while_statement condition: (_) @flow.loop)
(while_statement body: (_) @flow.loop)
(do_statement body: (_) @flow.loop)
(do_statement condition: (_) @flow.loop)
(if_statement body: (_) @flow.branch)
(if_statement alternative: (_) @flow.branch)
(case_statement) @flow.branch
(default_statement) @flow.branch
(match_conditional_expression return_expression: (_) @flow.branch)
(match_default_expression return_expression: (_) @flow.branch)
(conditional_expression body: (_) @flow.branch)
(conditional_expression alternative: (_) @flow.branch)
(binary_expression operator: ["&&" "||" "and" "or" "??"] right: (_) @flow.branch)
(for_statement
  initialize: (_)? @order.first
  condition: (_)? @order.first
  update: (_)
  body: (_) @order.first) @order.scope

; errors
(throw_expression [(object_creation_expression) (variable_name) (member_access_expression)] @error.raise)
; a call tells its type by what it is declared to give
(throw_expression [(member_call_expression) (scoped_call_expression) (function_call_expression)] @error.raise)
(try_statement
  body: (_) @error.scope
  (catch_clause type: (type_list (named_type) @error.catch) !name) @error.handler)
(try_statement
  body: (_) @error.scope
  (catch_clause type: (type_list (named_type) @error.catch) name: (_) @error.variable) @error.handler)
; a type that is handled while the rest is thrown again, and one that alone is thrown again
(if_statement condition: (parenthesized_expression (binary_expression left: (variable_name) @error.variable operator: "instanceof" right: (_) @error.kept)) body: [(return_statement) (compound_statement (return_statement) .)])
(if_statement condition: (parenthesized_expression (unary_op_expression argument: [(binary_expression left: (variable_name) @error.variable operator: "instanceof" right: (_) @error.kept) (parenthesized_expression (binary_expression left: (variable_name) @error.variable operator: "instanceof" right: (_) @error.kept))])) body: [(expression_statement (throw_expression (variable_name) @_thrown)) (compound_statement (expression_statement (throw_expression (variable_name) @_thrown)) .)] (#eq? @_thrown @error.variable))
(if_statement condition: (parenthesized_expression (binary_expression left: (variable_name) @error.variable operator: "instanceof" right: (_) @error.passes)) body: [(expression_statement (throw_expression (variable_name) @_thrown @error.pass)) (compound_statement (expression_statement (throw_expression (variable_name) @_thrown @error.pass)) .)] (#eq? @_thrown @error.variable))
(exit_statement "exit" @error.panic)
((function_call_expression function: (name) @error.panic) (#eq? @error.panic "die"))
((function_call_expression function: (name) @error.raise) (#eq? @error.raise "trigger_error"))

; imports
(namespace_use_declaration (namespace_use_clause . (name) @import !alias))
(namespace_use_declaration (namespace_use_clause . (name) @import alias: (name) @import.alias))
(namespace_use_declaration (namespace_use_clause (qualified_name prefix: (namespace_name) @import (name) @import.name) !alias))
(namespace_use_declaration (namespace_use_clause
  (qualified_name prefix: (namespace_name) @import (name) @import.name)
  alias: (name) @import.alias))
(namespace_use_declaration
  (namespace_name) @import
  body: (namespace_use_group (namespace_use_clause . (name) @import.name !alias)))
(namespace_use_declaration
  (namespace_name) @import
  body: (namespace_use_group (namespace_use_clause . (name) @import.name alias: (name) @import.alias)))
(_ . ["require" "require_once" "include" "include_once"]
  [(string (string_content) @import) (binary_expression right: (string (string_content) @import))])

; bindings: parameters and locals with their `$`, fields as `->name` says them
(simple_parameter type: (_) @binding.type name: (variable_name) @binding)
(property_promotion_parameter type: (_) @binding.type name: (variable_name (name) @binding) @binding)
(property_declaration type: (_) @binding.type (property_element name: (variable_name (name) @binding)))
(assignment_expression
  left: [(variable_name) (member_access_expression)] @binding
  right: (object_creation_expression [(name) (qualified_name)] @binding.type))
(assignment_expression
  left: [(variable_name) (member_access_expression)] @binding
  right: (function_call_expression function: [(name) (qualified_name)] @binding.value))
(assignment_expression
  left: [(variable_name) (member_access_expression)] @binding
  right: [
    (member_call_expression) (nullsafe_member_call_expression) (scoped_call_expression)
    (member_access_expression) (nullsafe_member_access_expression) (subscript_expression) (variable_name)] @binding.from)
(foreach_statement
  . [(variable_name) (member_access_expression) (member_call_expression) (scoped_call_expression) (function_call_expression)] @binding.element
  . [(variable_name) @binding (by_ref (variable_name) @binding) (pair (_) . (variable_name) @binding)])
(catch_clause type: (_) @binding.type name: (variable_name) @binding)
