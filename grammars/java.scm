; Definitions.
(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration name: (identifier) @name parameters: (_)? @parameters body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(method_declaration type: (_) @result name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @definition.function
(constructor_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @definition.function
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.function
(annotation_type_element_declaration type: (_) @result name: (identifier) @name) @definition.function
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
; what a record consists of is read by calls without arguments
(record_declaration
  "record" @modifier
  parameters: (formal_parameters (formal_parameter type: (_) @result name: (identifier) @name) @definition.field))
(record_declaration
  "record" @modifier
  parameters: (formal_parameters (spread_parameter (variable_declarator name: (identifier) @name)) @definition.field))
(enum_constant name: (identifier) @name body: (_)? @body) @definition.constant
(enum_constant body: (class_body) @scope.type)
(object_creation_expression type: (_) @name @extends (class_body)) @scope.type
(package_declaration [(scoped_identifier) (identifier)] @package)

(superclass (_) @extends)
(super_interfaces (type_list (_) @extends))
(extends_interfaces (type_list (_) @extends))

; Words that callers care about.
(class_declaration (modifiers ["public" "protected" "private" "abstract" "static" "final" "sealed"] @modifier))
(interface_declaration (modifiers ["public" "protected" "private" "static" "sealed"] @modifier))
(enum_declaration (modifiers ["public" "protected" "private" "static"] @modifier))
(record_declaration (modifiers ["public" "protected" "private" "static"] @modifier))
(method_declaration (modifiers ["public" "protected" "private" "abstract" "static" "final" "synchronized" "native" "default"] @modifier))
(constructor_declaration (modifiers ["public" "protected" "private"] @modifier))
(field_declaration (modifiers ["public" "protected" "private" "static" "final"] @modifier))
(method_declaration (modifiers (marker_annotation name: (identifier) @modifier)) (#any-of? @modifier "Override" "Deprecated" "Test"))

[(line_comment) (block_comment)] @comment
[(marker_annotation) (annotation)] @attribute

; Parameters; `Foo this` names the receiver.
(formal_parameters (spread_parameter) @parameter.variadic) @parameters
(formal_parameters (receiver_parameter) @parameter.marker) @parameters

; Calls.
(method_invocation object: (_)? @receiver name: (identifier) @callee arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_) @arguments) @call
(explicit_constructor_invocation object: (_)? @receiver constructor: (_) @callee arguments: (_) @arguments) @call

; Flow: conditions of loops run every time, so does the update, after the body.
(for_statement condition: (_) @flow.loop)
(for_statement update: (_) @flow.loop)
(for_statement body: (_) @flow.loop)
(for_statement init: (_)? @order.first condition: (_)? @order.first body: (_) @order.first) @order.scope
(enhanced_for_statement body: (_) @flow.loop)
(while_statement condition: (_) @flow.loop body: (_) @flow.loop)
(do_statement body: (_) @flow.loop condition: (_) @flow.loop)
(if_statement consequence: (_) @flow.branch)
(if_statement alternative: (_) @flow.branch)
(ternary_expression consequence: (_) @flow.branch alternative: (_) @flow.branch)
(switch_block_statement_group) @flow.branch
(switch_rule) @flow.branch
(binary_expression operator: ["&&" "||"] right: (_) @flow.branch)

; Errors.
(throws (_) @error.declare)
(throw_statement (_) @error.raise)
(try_statement body: (_) @error.scope (catch_clause) @error.handler)
(try_with_resources_statement body: (_) @error.scope (catch_clause) @error.handler)
(try_with_resources_statement resources: (_) @error.scope (catch_clause) @error.handler)
(catch_clause (catch_formal_parameter (catch_type (_) @error.catch))) @error.handler
(catch_clause (catch_formal_parameter name: (_) @error.variable)) @error.handler
; A type that is handled while the rest is thrown again, and one that alone is thrown again.
(if_statement condition: (parenthesized_expression (instanceof_expression left: (identifier) @error.variable right: (_) @error.kept)) consequence: [(return_statement) (continue_statement) (break_statement) (block [(return_statement) (continue_statement) (break_statement)] .)])
(if_statement condition: (parenthesized_expression (instanceof_expression left: (identifier) @error.variable right: (_) @error.kept)) alternative: [(throw_statement (identifier) @_thrown) (block (throw_statement (identifier) @_thrown) .)] (#eq? @_thrown @error.variable))
(if_statement condition: (parenthesized_expression (unary_expression operator: "!" operand: (parenthesized_expression (instanceof_expression left: (identifier) @error.variable right: (_) @error.kept)))) consequence: [(throw_statement (identifier) @_thrown) (block (throw_statement (identifier) @_thrown) .)] (#eq? @_thrown @error.variable))
(if_statement condition: (parenthesized_expression (instanceof_expression left: (identifier) @error.variable right: (_) @error.passes)) consequence: [(throw_statement (identifier) @_thrown @error.pass) (block (throw_statement (identifier) @_thrown @error.pass) .)] (#eq? @_thrown @error.variable))
; What a test expects to be thrown.
(method_invocation name: (identifier) @_expects
  arguments: (argument_list . (class_literal (_) @error.catch) @error.handler . (lambda_expression body: (_) @error.scope))
  (#any-of? @_expects "assertThrows" "assertThrowsExactly"))
(method_invocation name: (identifier) @error.handler arguments: (argument_list . (lambda_expression body: (_) @error.scope))
  (#any-of? @error.handler "assertThatThrownBy" "catchThrowable" "assertThatExceptionOfType"))
((method_invocation object: (identifier) @_o name: (identifier) @_n) @error.panic
  (#eq? @_o "System") (#eq? @_n "exit"))

; Imports.
(import_declaration (scoped_identifier scope: (_) @import name: (identifier) @import.name) .)
(import_declaration (scoped_identifier) @import (asterisk) @import.name)
(import_declaration (identifier) @import .)

; Types of variables.
(field_declaration type: (_) @binding.type declarator: (variable_declarator name: (identifier) @binding))
(constant_declaration type: (_) @binding.type declarator: (variable_declarator name: (identifier) @binding))
(local_variable_declaration type: (_) @binding.type declarator: (variable_declarator name: (identifier) @binding) (#not-eq? @binding.type "var"))
(local_variable_declaration type: (type_identifier) @_type declarator: (variable_declarator name: (identifier) @binding
  value: [(object_creation_expression type: (_) @binding.type) (method_invocation) @binding.value]) (#eq? @_type "var"))
(formal_parameter type: (_) @binding.type name: (identifier) @binding)
(spread_parameter (_) @binding.many (variable_declarator name: (identifier) @binding))
(catch_formal_parameter (catch_type (_) @binding.type) name: (identifier) @binding)
(enhanced_for_statement type: (_) @binding.type name: (identifier) @binding (#not-eq? @binding.type "var"))
(enhanced_for_statement type: (type_identifier) @_type name: (identifier) @binding value: (_) @binding.element (#eq? @_type "var"))
(local_variable_declaration type: (type_identifier) @_type declarator: (variable_declarator name: (identifier) @binding value: [(identifier) (field_access)] @binding.from) (#eq? @_type "var"))
(method_invocation object: (_) @binding.element name: (identifier) @_each
  arguments: (argument_list . (lambda_expression parameters: [(identifier) @binding (inferred_parameters . (identifier) @binding .)]) @binding.scope)
  (#any-of? @_each "forEach" "map" "filter" "anyMatch" "allMatch" "noneMatch" "flatMap" "peek" "mapToInt" "mapToLong" "mapToDouble" "removeIf" "ifPresent" "takeWhile" "dropWhile"))
(resource type: (_) @binding.type name: (identifier) @binding)
(instanceof_expression right: (_) @binding.type name: (identifier) @binding)
(switch_rule (switch_label (pattern (type_pattern (_) @binding.type (identifier) @binding)))) @binding.scope
(switch_block_statement_group (switch_label (pattern (type_pattern (_) @binding.type (identifier) @binding)))) @binding.scope
(record_pattern_component (_) @binding.type (identifier) @binding (#not-eq? @binding.type "var"))
(record_pattern_component (type_identifier) @_type (identifier) @binding (#eq? @_type "var"))
; Variables of which nothing more is known hide what bears their name outside.
(lambda_expression parameters: [(identifier) @binding (inferred_parameters (identifier) @binding)]) @binding.scope
(method_invocation arguments: (argument_list (lambda_expression parameters: [(identifier) @binding (inferred_parameters (identifier) @binding)]) @binding.scope)) @binding.block
