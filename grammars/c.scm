; C, on top of what it shares with C++.

(parameter_list (variadic_parameter) @parameter.variadic) @parameters

; a macro that makes the head of a function: `MODULE_INIT(name) {…}`, `SYSCALL_DEFINE2(name, …) {…}`
(function_definition
  type: (type_identifier)
  declarator: (parenthesized_declarator (identifier) @name)) @definition.function
(translation_unit
  (expression_statement (call_expression
    function: (identifier) @_macro
    arguments: (argument_list . (identifier) @name))) @definition.function
  . (compound_statement) @body
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
