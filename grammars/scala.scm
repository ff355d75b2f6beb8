; Scala 2 and 3. Objects are types whose members stand alone; extension methods belong to the type they extend.

(compilation_unit (package_clause name: (_) @package !body))
; one package in another: the names of the outer one are in sight
(compilation_unit (package_clause name: (_) @package !body) . (package_clause name: (_) @package !body))
(compilation_unit (package_clause name: (_) @package !body) . (package_clause name: (_) @package !body) . (package_clause name: (_) @package !body))
((compilation_unit (package_clause name: (_) @import !body) . (package_clause !body)) (#set! name "*"))
(package_clause name: (_) @name body: (_)) @scope.module
(package_object name: (_) @name) @scope.module

; definitions: types
(class_definition name: (_) @name class_parameters: (class_parameters)? @parameters) @definition.class
(class_definition "case" @modifier name: (_) @name)
(object_definition "object" @modifier name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.interface
(enum_definition name: (_) @name) @definition.enum
(type_definition name: (_) @name) @definition.type

; definitions: functions
(function_definition name: (_) @name return_type: (_)? @result) @definition.function
(function_definition name: (_) @name . (type_parameters)? . (parameters) @parameters) @definition.function
(function_declaration name: (_) @name return_type: (_)? @result) @definition.function
(function_declaration name: (_) @name . (type_parameters)? . (parameters) @parameters) @definition.function
(extension_definition
  parameters: (parameters (parameter type: (_) @owner))
  (function_definition name: (_) @name))
; a function value with a name
(val_definition
  pattern: (identifier) @name
  value: (lambda_expression parameters: (bindings)? @parameters) @body) @definition.function

; definitions: fields and constants
(template_body (val_definition pattern: (identifier) @name) @definition.field)
(template_body (var_definition pattern: (identifier) @name) @definition.field)
(template_body (val_declaration name: (identifier) @name) @definition.field)
(class_definition "case" (class_parameters (class_parameter name: (identifier) @name type: (_) @result) @definition.field))
(class_parameter ["val" "var"] name: (identifier) @name type: (_) @result) @definition.field
(compilation_unit (val_definition pattern: (identifier) @name) @definition.constant)
(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant

; supertypes: `extends A with B` is flat
(_ name: (_) extend: (extends_clause [
  (type_identifier) @extends
  (stable_type_identifier) @extends
  (generic_type type: (_) @extends)]))

; comments and attributes
[(comment) (block_comment)] @comment
(annotation) @attribute

; words that matter to callers
(_ (modifiers [
  "abstract" "final" "sealed" "implicit" "lazy" "override" (inline_modifier)
  (access_modifier)] @modifier) name: (_))
(val_definition (modifiers (access_modifier) @modifier))
(var_definition (modifiers (access_modifier) @modifier))

; parameters
(parameters (parameter default_value: (_)) @parameter.optional) @parameters
(parameters (parameter type: (repeated_parameter_type)) @parameter.variadic) @parameters
(class_parameters (class_parameter default_value: (_)) @parameter.optional) @parameters

; calls
(call_expression
  function: [(identifier) @callee (generic_function function: (identifier) @callee)]
  arguments: (_) @arguments) @call
(call_expression
  function: [
    (field_expression value: (_) @receiver field: (_) @callee)
    (generic_function function: (field_expression value: (_) @receiver field: (_) @callee))]
  arguments: (_) @arguments) @call
(instance_expression [
  (type_identifier) @callee
  (stable_type_identifier) @callee
  (generic_type type: (_) @callee)] arguments: (_)? @arguments) @call
((infix_expression left: (_) @receiver operator: (identifier) @callee right: (_)) @call)
(extends_clause type: (type_identifier) @callee arguments: (arguments) @arguments) @call
(arguments (vararg) @argument.spread) @arguments
(call_expression arguments: [(block) (case_block)] @argument.whole)

; flow
(for_expression enumerators: (enumerators (enumerator (guard) @flow.loop)))
(for_expression body: (_) @flow.loop)
(while_expression condition: (_) @flow.loop)
(while_expression body: (_) @flow.loop)
(do_while_expression body: (_) @flow.loop)
(do_while_expression condition: (_) @flow.loop)
((call_expression
  function: (field_expression field: (identifier) @_each)
  arguments: (_ (lambda_expression) @flow.loop))
  (#any-of? @_each "foreach" "map" "flatMap" "filter" "collect" "foldLeft" "foldRight" "exists" "forall" "find"))
(if_expression consequence: (_) @flow.branch)
(if_expression alternative: (_) @flow.branch)
(match_expression body: (case_block (case_clause) @flow.branch))
(case_block (case_clause) @flow.branch . (comment)* . (case_clause) @flow.branch)
((infix_expression operator: (operator_identifier) @_and right: (_) @flow.branch) (#any-of? @_and "&&" "||"))

; errors: declared, returned
((annotation
  name: (generic_type type: (type_identifier) @_throws type_arguments: (type_arguments (_) @error.declare)))
  (#eq? @_throws "throws"))
((annotation
  name: (type_identifier) @_throws
  arguments: (arguments
    (generic_function function: (identifier) @_class type_arguments: (type_arguments (_) @error.declare))))
  (#eq? @_throws "throws") (#eq? @_class "classOf"))
((function_definition return_type: (generic_type type: (type_identifier) @_result) @error.return)
  (#any-of? @_result "Try" "Either" "Option"))
((function_declaration return_type: (generic_type type: (type_identifier) @_result) @error.return)
  (#any-of? @_result "Try" "Either" "Option"))

; errors: thrown or made
(throw_expression (_) @error.raise)
((call_expression function: (identifier) @_left arguments: (arguments . [
  (instance_expression) (call_expression) (field_expression)] @error.raise))
  (#any-of? @_left "Left" "Failure"))
((call_expression function: (field_expression value: (identifier) @_sys field: (identifier) @_error) @error.raise)
  (#eq? @_sys "sys") (#eq? @_error "error"))
((call_expression function: (field_expression value: (identifier) @_sys field: (identifier) @_exit) @error.panic)
  (#any-of? @_sys "sys" "System") (#any-of? @_exit "exit" "halt"))

; errors: caught
(try_expression
  body: (_) @error.scope
  (catch_clause (case_block (case_clause) @error.handler)))
(catch_clause (case_block (case_clause pattern: (typed_pattern type: (_) @error.catch)) @error.handler))
(catch_clause (case_block (case_clause
  pattern: (typed_pattern pattern: (identifier) @error.variable)) @error.handler))
((catch_clause (case_block (case_clause
  pattern: (case_class_pattern type: (_) @error.catch)) @error.handler))
  (#not-eq? @error.catch "NonFatal"))
((catch_clause (case_block (case_clause
  pattern: (case_class_pattern type: (_) @_fatal pattern: (identifier) @error.variable)) @error.handler))
  (#eq? @_fatal "NonFatal"))

; imports
(import_declaration . (identifier) @import (identifier) @import .)
((import_declaration . (identifier) @import (identifier) @import (namespace_wildcard)) (#set! name "*"))
(import_declaration
  . (identifier) @import (identifier) @import
  (namespace_selectors (identifier) @import.name))
(import_declaration
  . (identifier) @import (identifier) @import
  (namespace_selectors (_ name: (_) @import.name alias: (_) @import.alias)))

; bindings
(parameter name: (identifier) @binding type: (_) @binding.type)
(class_parameter name: (identifier) @binding type: (_) @binding.type)
(binding name: (identifier) @binding type: (_) @binding.type)
(val_definition pattern: (identifier) @binding type: (_) @binding.type)
(var_definition pattern: (identifier) @binding type: (_) @binding.type)
(val_declaration name: (identifier) @binding type: (_) @binding.type)
(val_definition
  pattern: (identifier) @binding
  value: [
    (instance_expression . (_) @binding.type)
    (call_expression function: [(identifier) (field_expression)] @binding.value)])
(var_definition
  pattern: (identifier) @binding
  value: [
    (instance_expression . (_) @binding.type)
    (call_expression function: [(identifier) (field_expression)] @binding.value)])
(val_definition pattern: (identifier) @binding value: [(identifier) (field_expression)] @binding.from)
(case_clause pattern: (typed_pattern pattern: (identifier) @binding type: (_) @binding.type)) @binding.scope
(case_clause pattern: (capture_pattern name: (identifier) @binding pattern: (case_class_pattern type: (_) @binding.type))) @binding.scope
(enumerator . (identifier) @binding . [(identifier) (field_expression)] @binding.element)
