; Go. The receiver names the owner of a method in four shapes: T, *T, T[P], *T[P].

(package_clause (package_identifier) @package)

; definitions
(function_declaration
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  result: (_)? @result) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @owner
    (pointer_type (type_identifier) @owner)
    (generic_type type: (type_identifier) @owner)
    (pointer_type (generic_type type: (type_identifier) @owner))]))
  name: (field_identifier) @name
  parameters: (parameter_list) @parameters
  result: (_)? @result) @definition.function

(method_elem
  name: (field_identifier) @name
  parameters: (parameter_list) @parameters
  result: (_)? @result) @definition.function

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.class
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
; `type X …` without parentheses: the keyword belongs to the definition
(type_declaration . "type" . [(type_spec name: (type_identifier) @name) (type_alias name: (type_identifier) @name)]) @outer

(field_declaration name: (field_identifier) @name) @definition.field

; a function value with a name is a function: at the top and inside functions
(source_file (var_declaration
  (var_spec
    name: (identifier) @name
    value: (expression_list . (func_literal
      parameters: (parameter_list) @parameters
      result: (_)? @result
      body: (_) @body) .))) @definition.function)
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal
    parameters: (parameter_list) @parameters
    result: (_)? @result
    body: (_) @body) .)) @definition.function

; grouped constants share one range, so they become one chunk with several names
(source_file (const_declaration (const_spec name: (identifier) @name)) @definition.constant)
(source_file (var_declaration (var_spec name: (identifier) @name)) @definition.constant)
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name))) @definition.constant)

; supertypes: embedded structs and interfaces
(type_spec
  type: (struct_type (field_declaration_list (field_declaration !name type: [
    (type_identifier) @extends
    (qualified_type) @extends
    (generic_type type: (_) @extends)]))))
(type_spec type: (interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type type: (_))] @extends .)))

; comments; directives neither document nor end a comment
((comment) @attribute (#match? @attribute "^//(go:|line |nolint|export |\\s*\\+build)"))
((comment) @comment (#not-match? @comment "^//(go:|line |nolint|export |\\s*\\+build)"))

; parameters: `a, b int` is one node with two names
(parameter_list (parameter_declaration name: (identifier) @parameter)) @parameters
(parameter_list (parameter_declaration !name) @parameter) @parameters
(parameter_list (variadic_parameter_declaration) @parameter @parameter.variadic) @parameters

; calls; built-in functions and basic conversions say nothing
((call_expression function: (identifier) @callee arguments: (argument_list) @arguments) @call
  (#not-match? @callee "^(append|cap|clear|close|complex|copy|delete|imag|len|make|max|min|new|panic|print|println|real|recover|any|bool|byte|error|rune|string|uintptr|u?int(8|16|32|64)?|float(32|64))$"))
(call_expression
  function: (selector_expression operand: (_) @receiver field: (field_identifier) @callee)
  arguments: (argument_list) @arguments) @call
((call_expression
  function: (index_expression operand: (identifier) @callee index: (_) @_type)
  arguments: (argument_list) @arguments) @call
  (#match? @_type "^[*\\[\\]]*([a-z]\\w*\\.)*([A-Z]|(u?int[0-9]*|float(32|64)|string|bool|byte|rune|error|any)$)"))
((call_expression
  function: (index_expression
    operand: (selector_expression operand: (_) @receiver field: (field_identifier) @callee) index: (_) @_type)
  arguments: (argument_list) @arguments) @call
  (#match? @_type "^[*\\[\\]]*([a-z]\\w*\\.)*([A-Z]|(u?int[0-9]*|float(32|64)|string|bool|byte|rune|error|any)$)"))
; `Convert[T](x)` with one argument reads as a conversion, `handlers[i](x)` too
((type_conversion_expression type: (generic_type type: (type_identifier) @callee type_arguments: (_) @_type)) @call
  (#not-match? @_type "^\\[[a-z]\\w?\\]$"))
((type_conversion_expression
  type: (generic_type type: (qualified_type package: (_) @receiver name: (_) @callee) type_arguments: (_) @_type)) @call
  (#not-match? @_type "^\\[[a-z]\\w?\\]$"))
(argument_list (variadic_argument) @argument.spread) @arguments

; flow
(for_statement body: (block) @flow.loop)
(for_statement . (_expression) @flow.loop)
(for_clause condition: (_) @flow.loop)
(for_clause update: (_) @flow.loop)
(if_statement consequence: (block) @flow.branch)
(if_statement alternative: (_) @flow.branch)
(expression_case) @flow.branch
(type_case) @flow.branch
(default_case) @flow.branch
; all channels of a select are evaluated, one body runs
(communication_case communication: (_) . (_) @flow.branch)
(select_statement (communication_case communication: (_) @order.first)) @order.scope
(binary_expression operator: ["&&" "||"] right: (_) @flow.branch)
(for_statement
  (for_clause initializer: (_)? @order.first condition: (_)? @order.first update: (_))
  body: (_) @order.first) @order.scope

; errors: the result type says that there are some
(function_declaration result: (type_identifier) @error.return (#eq? @error.return "error"))
(function_declaration
  result: (parameter_list (parameter_declaration type: (type_identifier) @error.return))
  (#eq? @error.return "error"))
(method_declaration result: (type_identifier) @error.return (#eq? @error.return "error"))
(method_declaration
  result: (parameter_list (parameter_declaration type: (type_identifier) @error.return))
  (#eq? @error.return "error"))
(method_elem result: (type_identifier) @error.return (#eq? @error.return "error"))
(method_elem
  result: (parameter_list (parameter_declaration type: (type_identifier) @error.return))
  (#eq? @error.return "error"))

; errors: sentinels by the naming rule of the language, error structs by theirs
(return_statement (expression_list (identifier) @error.raise .) (#match? @error.raise "^[eE]rr[A-Z]"))
(return_statement (expression_list
  (selector_expression field: (field_identifier) @_field) @error.raise .) (#match? @_field "^Err[A-Z]"))
(return_statement (expression_list
  (unary_expression operator: "&" operand: (composite_literal type: [
    (type_identifier) @error.raise
    (qualified_type name: (type_identifier)) @error.raise])) .) (#match? @error.raise "(Err|Error|Exception|Failure)$"))
(return_statement (expression_list
  (composite_literal type: [
    (type_identifier) @error.raise
    (qualified_type name: (type_identifier)) @error.raise]) .) (#match? @error.raise "(Err|Error|Exception|Failure)$"))
(return_statement (expression_list
  (call_expression
    function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_new)) @error.raise .)
  (#any-of? @_package "errors" "fmt" "xerrors") (#any-of? @_new "New" "Errorf") (#not-match? @error.raise "%w"))
(assignment_statement right: (expression_list
  (call_expression
    function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_new)) @error.raise .)
  (#any-of? @_package "errors" "fmt" "xerrors") (#any-of? @_new "New" "Errorf") (#not-match? @error.raise "%w"))
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_new)
  arguments: (argument_list [(identifier) (selector_expression)] @error.raise))
  (#eq? @_package "fmt") (#eq? @_new "Errorf") (#match? @error.raise "(^|\\.)[eE]rr[A-Z]\\w*$"))

; errors: handed on as they are or wrapped
(return_statement (expression_list (identifier) @error.propagate .) (#match? @error.propagate "^(err|\\w+Err)$"))
(return_statement (expression_list (type_assertion_expression operand: (identifier) @error.propagate) .)
  (#match? @error.propagate "^(err|\\w+Err)$"))
; wrapped: an error that comes first, and one that is not merely printed (`%v`)
(return_statement (expression_list
  (call_expression arguments: (argument_list . (identifier) @error.propagate)) .)
  (#match? @error.propagate "^(err|\\w+Err)$"))
(return_statement (expression_list
  (call_expression arguments: (argument_list (identifier) @error.propagate) @_arguments) .)
  (#match? @error.propagate "^(err|\\w+Err)$") (#match? @_arguments "%w|^[^%]*$"))

; errors: told apart by the caller
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_is)
  arguments: (argument_list (_) . (_) @error.catch .))
  (#eq? @_package "errors") (#eq? @_is "Is"))
(statement_list
  (var_declaration (var_spec
    name: (identifier) @_target
    type: [(pointer_type (_) @error.catch) (type_identifier) @error.catch (qualified_type) @error.catch]))
  (if_statement condition: (call_expression
    function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_as)
    arguments: (argument_list (_) . (unary_expression operand: (identifier) @_same) .)))
  (#eq? @_package "errors") (#eq? @_as "As") (#eq? @_target @_same))
; tested only to be told in other words
(if_statement
  condition: (call_expression
    function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_is)
    arguments: (argument_list . (identifier) @error.variable . (_) @error.passes .))
  consequence: (block (statement_list (return_statement (expression_list [
    (identifier) @_returned
    (call_expression arguments: (argument_list (identifier) @_returned) @_arguments)] .)) .))
  (#eq? @_package "errors") (#eq? @_is "Is") (#eq? @_returned @error.variable))
(binary_expression
  left: (identifier) @_error operator: "==" right: [(identifier) (selector_expression)] @error.catch
  (#match? @_error "^(err|\\w+Err)$") (#not-eq? @error.catch "nil"))
(type_switch_statement
  value: (identifier) @_error
  (type_case [
    (pointer_type (_) @error.catch)
    (type_identifier) @error.catch
    (qualified_type) @error.catch])
  (#match? @_error "^(err|\\w+Err)$") (#not-eq? @error.catch "nil"))
((call_expression function: (identifier) @error.catch) (#eq? @error.catch "recover"))

; errors: the program ends
((call_expression function: (identifier) @_panic) @error.panic (#eq? @_panic "panic"))
((call_expression
  function: (selector_expression operand: (identifier) @_package field: (field_identifier) @_end)) @error.panic
  (#any-of? @_package "log" "os") (#any-of? @_end "Fatal" "Fatalf" "Fatalln" "Panic" "Panicf" "Panicln" "Exit"))

; imports
(import_spec !name path: (interpreted_string_literal (interpreted_string_literal_content) @import))
(import_spec
  name: (_) @import.alias
  path: (interpreted_string_literal (interpreted_string_literal_content) @import))

; bindings
(parameter_declaration name: (identifier) @binding type: (_) @binding.type)
(field_declaration name: (field_identifier) @binding type: (_) @binding.type)
; an embedded field is named by its type
(field_declaration !name type: [
  (type_identifier) @binding @binding.type
  (qualified_type name: (_) @binding) @binding.type])
(var_spec name: (identifier) @binding type: (_) @binding.type)
(const_spec name: (identifier) @binding type: (_) @binding.type)
(short_var_declaration
  left: (expression_list . (identifier) @binding)
  right: (expression_list . [
    (composite_literal type: (_) @binding.type)
    (unary_expression operand: (composite_literal type: (_) @binding.type))
    (type_conversion_expression type: (generic_type)) @binding.from
    (call_expression function: (index_expression)) @binding.from
    (call_expression function: [(identifier) (selector_expression) (parenthesized_expression) (func_literal) (call_expression)] @binding.value)]))
(var_spec name: (identifier) @binding value: (expression_list . [
  (composite_literal type: (_) @binding.type)
  (unary_expression operand: (composite_literal type: (_) @binding.type))
  (call_expression function: (_) @binding.value)]))
(short_var_declaration
  left: (expression_list . (identifier) @binding)
  right: (expression_list . (call_expression
    function: (identifier) @_make
    arguments: (argument_list . (_) @binding.type)) .)
  (#any-of? @_make "make" "new"))
(short_var_declaration
  left: (expression_list . (identifier) @binding)
  right: (expression_list . (type_assertion_expression type: (_) @binding.type) .))
(short_var_declaration
  left: (expression_list . (identifier) @binding)
  right: (expression_list . [
    (index_expression) @binding.from
    (unary_expression operator: "<-" operand: (_) @binding.element)
    (unary_expression operator: ["&" "*"] operand: [(identifier) (selector_expression) (index_expression)] @binding.from)] .))
(receive_statement
  left: (expression_list . (identifier) @binding)
  right: (unary_expression operator: "<-" operand: (_) @binding.element))
(short_var_declaration left: (expression_list . (identifier) @binding .) right: (expression_list . [(identifier) (selector_expression)] @binding.from .))
; in each case of a type switch the variable has that case's type
(type_switch_statement
  alias: (expression_list (identifier) @binding)
  (type_case . "case" . type: (_) @binding.narrowed . ":") @binding.scope)
(func_literal parameters: (parameter_list (parameter_declaration name: (identifier) @binding type: (_) @binding.type))) @binding.scope
(range_clause left: (expression_list (_) . (identifier) @binding .) right: [(identifier) (selector_expression) (call_expression)] @binding.element)
