; Kotlin. Companion objects are no container of their own; an extension function belongs to the type it extends.

(package_header (qualified_identifier) @package)

; definitions: types
(class_declaration name: (identifier) @name (enum_class_body) @body) @definition.enum
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @definition.interface
(class_declaration
  name: (identifier) @name
  (primary_constructor (class_parameters) @parameters)
  (class_body)? @body) @definition.class
(class_declaration name: (identifier) @name (class_body)? @body) @definition.class
(object_declaration name: (identifier) @name (class_body)? @body) @definition.class
(companion_object) @scope.type
(type_alias type: (identifier) @name) @definition.type

; definitions: functions; what stands before the dot is the type they extend
(function_declaration
  [(user_type (identifier) @owner) (nullable_type (user_type (identifier) @owner))]
  . "." . (identifier) @name
  (function_value_parameters) @parameters
  . [(user_type) (nullable_type) (function_type)]? @result
  (function_body)? @body) @definition.function
(function_declaration
  name: (identifier) @name
  (function_value_parameters) @parameters
  . [(user_type) (nullable_type) (function_type)]? @result
  (function_body)? @body) @definition.function
(secondary_constructor
  "constructor" @name
  (function_value_parameters) @parameters
  (block)? @body) @definition.function
; a lambda with a name
(property_declaration
  (variable_declaration (identifier) @name)
  [
    (lambda_literal) @body
    (anonymous_function (function_value_parameters) @parameters (function_body) @body)]) @definition.function

; definitions: constants and properties
(property_declaration
  [(user_type (identifier) @owner) (nullable_type (user_type (identifier) @owner))]
  . "." . (variable_declaration (identifier) @name)) @definition.field
(source_file (property_declaration (variable_declaration (identifier) @name)) @definition.constant)
((property_declaration
  (modifiers (property_modifier) @_const)
  (variable_declaration (identifier) @name)) @definition.constant
  (#eq? @_const "const"))
(class_body (property_declaration (variable_declaration (identifier) @name)) @definition.field)
(enum_class_body (property_declaration (variable_declaration (identifier) @name)) @definition.field)
(class_parameter ["val" "var"] (identifier) @name) @definition.field
(property_declaration (variable_declaration (identifier) @name) [(getter) (setter)] @body)
(enum_entry (identifier) @name) @definition.constant

; supertypes
(_ name: (identifier) (delegation_specifiers (delegation_specifier [
  (user_type) @extends
  (constructor_invocation (user_type) @extends)
  (explicit_delegation (user_type) @extends)])))

; comments and attributes
[(line_comment) (block_comment)] @comment
[(annotation) (file_annotation)] @attribute

; words that matter to callers
(_ (modifiers [
  (visibility_modifier) (inheritance_modifier) (member_modifier) (function_modifier) (class_modifier)
  (property_modifier)] @modifier) name: (identifier))
(property_declaration (modifiers [
  (visibility_modifier) (inheritance_modifier) (member_modifier) (property_modifier)] @modifier))

; parameters; a default value is a sibling
(function_value_parameters (parameter) @parameter) @parameters
(function_value_parameters (parameter) @parameter.optional . "=") @parameters
((function_value_parameters (parameter_modifiers) @_vararg . (parameter) @parameter.variadic) @parameters
  (#match? @_vararg "vararg"))
(class_parameters (class_parameter "=") @parameter.optional) @parameters
(class_parameters (class_parameter (modifiers (parameter_modifier) @_vararg)) @parameter.variadic) @parameters

; calls; a lambda after the parentheses is one more argument
((call_expression
  . (call_expression . (identifier) @callee . (value_arguments) @arguments) @call
  . (annotated_lambda) @argument.spread)
  (#not-match? @callee "^(check|checkNotNull|require|requireNotNull)$"))
(call_expression
  . (call_expression
    . (navigation_expression (_) @receiver (identifier) @callee .) . (value_arguments) @arguments) @call
  . (annotated_lambda) @argument.spread)
((call_expression . (identifier) @callee (value_arguments)? @arguments) @call
  (#not-match? @callee "^(error|check|checkNotNull|require|requireNotNull|TODO|exitProcess|println|print|listOf|mapOf|setOf|mutableListOf|mutableMapOf|mutableSetOf|arrayOf|emptyList|emptyMap)$"))
; the sign of what is negated stands around the name alone
(call_expression . (unary_expression argument: (identifier) @callee) (value_arguments)? @arguments) @call
(call_expression
  . (navigation_expression (unary_expression argument: (_) @receiver) (identifier) @callee .)
  (value_arguments)? @arguments) @call
(call_expression
  . (navigation_expression (_) @receiver (identifier) @callee .)
  (value_arguments)? @arguments) @call
(infix_expression . (_) @receiver . (identifier) @callee . (_)) @call
(delegation_specifier (constructor_invocation (user_type (identifier) @callee) (value_arguments) @arguments) @call)
(constructor_delegation_call ["this" "super"] @callee (value_arguments) @arguments) @call
(value_arguments (value_argument (spread_expression) @argument.spread)) @arguments

; flow
(for_statement (block) @flow.loop)
(while_statement condition: (_) @flow.loop)
(while_statement (block) @flow.loop)
(do_while_statement (block) @flow.loop)
(do_while_statement condition: (_) @flow.loop)
((call_expression . (navigation_expression (identifier) @_each .) (annotated_lambda) @flow.loop)
  (#match? @_each "^(forEach\\w*|onEach\\w*|map\\w*|flatMap\\w*|filter\\w*|find\\w*|first\\w*|last\\w*|any|all|none|count|sum\\w*|fold\\w*|reduce\\w*|associate\\w*|groupBy|partition|sortedBy\\w*|maxBy\\w*|minBy\\w*|joinToString)$"))
(if_expression condition: (_) (_) @flow.branch)
(when_entry) @flow.branch
(binary_expression operator: ["?:" "&&" "||"] right: (_) @flow.branch)

; errors: thrown, by the word or by a helper of the library
(throw_expression [(call_expression) (identifier) (navigation_expression)] @error.raise)
((call_expression . (identifier) @error.raise)
  (#any-of? @error.raise "error" "check" "checkNotNull" "require" "requireNotNull" "TODO"))
((call_expression . (identifier) @error.panic) (#eq? @error.panic "exitProcess"))
((annotation (constructor_invocation
  (user_type) @_throws
  (value_arguments (value_argument (navigation_expression (_) @error.declare (identifier) @_class)))))
  (#match? @_throws "Throws$") (#eq? @_class "class"))
(function_declaration
  (function_value_parameters) . (user_type . (identifier) @error.return)
  (#eq? @error.return "Result"))

; errors: caught
(try_expression
  . (block) @error.scope
  (catch_block (identifier) @error.variable (user_type) @error.catch) @error.handler)
; a type that is handled while the rest is thrown again, and one that alone is thrown again
(if_expression condition: (is_expression left: (identifier) @error.variable "is" right: (_) @error.kept) . [(return_expression) (block (return_expression) .)])
(if_expression condition: (is_expression left: (identifier) @error.variable "!is" right: (_) @error.kept) . [(throw_expression (identifier) @_thrown) (block (throw_expression (identifier) @_thrown) .)] (#eq? @_thrown @error.variable))
(if_expression condition: (is_expression left: (identifier) @error.variable "is" right: (_) @error.passes) . [(throw_expression (identifier) @_thrown @error.pass) (block (throw_expression (identifier) @_thrown @error.pass) .)] (#eq? @_thrown @error.variable))
((call_expression . (identifier) @error.handler (annotated_lambda) @error.scope)
  (#any-of? @error.handler "runCatching" "runSuspendCatching" "assertFails" "assertFailsWith" "assertThrows" "shouldThrow" "shouldThrowAny"))
((call_expression
  (call_expression . (identifier) @_expects (type_arguments (type_projection (_) @error.catch)) @error.handler)
  (annotated_lambda) @error.scope)
  (#any-of? @_expects "assertFailsWith" "assertThrows" "shouldThrow"))

; imports
(import (qualified_identifier) @import . "*" @import.name)
(import (qualified_identifier) @import . (identifier) @import.alias)
((import (qualified_identifier) @import) @_import (#not-match? @_import "[*]|\\sas\\s"))

; bindings
(parameter (identifier) @binding . ":" . (_) @binding.type)
(class_parameter (identifier) @binding . ":" . (_) @binding.type)
(variable_declaration (identifier) @binding . ":" . (_) @binding.type)
(property_declaration
  (variable_declaration . (identifier) @binding .)
  (call_expression . [(identifier) (navigation_expression)] @binding.value))
(catch_block (identifier) @binding (user_type) @binding.type)
(property_declaration (variable_declaration . (identifier) @binding .) . [(identifier) (navigation_expression)] @binding.from)
(for_statement (variable_declaration . (identifier) @binding .) . (_) @binding.element)
(call_expression (navigation_expression (_) @binding.element (identifier) @_each) (annotated_lambda (lambda_literal (lambda_parameters . (variable_declaration . (identifier) @binding .) .)) @binding.scope)
  (#any-of? @_each "forEach" "map" "filter" "filterNot" "any" "all" "none" "flatMap" "onEach" "first" "firstOrNull" "find" "associateBy" "groupBy" "sortedBy" "mapNotNull"))
; what a block gets from the call that it is handed to: parameters, the only one, the receiver
(call_expression
  . [
    (identifier) @binding.block
    (navigation_expression) @binding.block
    (call_expression . [(identifier) (navigation_expression)] @binding.block (value_arguments) .)]
  . (annotated_lambda (lambda_literal (lambda_parameters (variable_declaration . (identifier) @binding .))) @binding.scope) .)
((call_expression
  . [
    (identifier) @binding.block
    (navigation_expression) @binding.block
    (call_expression . [(identifier) (navigation_expression)] @binding.block (value_arguments) .)]
  . (annotated_lambda (lambda_literal) @binding) @binding.scope .)
  (#set! name "it"))
((call_expression
  . [
    (identifier) @binding.block
    (navigation_expression) @binding.block
    (call_expression . [(identifier) (navigation_expression)] @binding.block (value_arguments) .)]
  . (annotated_lambda (lambda_literal) @binding) @binding.scope .)
  (#set! name "this"))
((call_expression
  . (call_expression . (identifier) @_with (value_arguments . (value_argument (_) @binding.from)))
  . (annotated_lambda (lambda_literal) @binding) @binding.scope .)
  (#set! name "this")
  (#eq? @_with "with"))
; a type that a test gives until the end of its branch
(when_expression
  (when_subject (identifier) @binding)
  (when_entry . condition: (type_test (_) @binding.narrowed) . (_) .) @binding.scope)
(when_expression
  (when_subject (variable_declaration . (identifier) @binding))
  (when_entry . condition: (type_test (_) @binding.narrowed) . (_) .) @binding.scope)
