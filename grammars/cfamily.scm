; What C and C++ share. Pointer declarators nest the name; prototypes are no definitions, a header's text keeps them.

; definitions; what `typedef struct x {…} x_t` names shares one range, so it becomes one chunk with two names
(type_definition type: (struct_specifier name: (type_identifier) @name body: (_) @body)) @definition.class
(type_definition type: (struct_specifier body: (_)) declarator: (type_identifier) @name) @definition.class
(type_definition type: (union_specifier name: (type_identifier) @name body: (_) @body)) @definition.class
(type_definition type: (union_specifier body: (_)) declarator: (type_identifier) @name) @definition.class
(type_definition type: (enum_specifier name: (type_identifier) @name body: (_) @body)) @definition.enum
(type_definition type: (enum_specifier body: (_)) declarator: (type_identifier) @name) @definition.enum
(struct_specifier name: (type_identifier) @name body: (_)) @definition.class
(type_definition type: [(type_identifier) @result (struct_specifier name: (type_identifier) @result !body)] declarator: (type_identifier) @name)
(union_specifier name: (type_identifier) @name body: (_)) @definition.class
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(type_definition declarator: [
  [(type_identifier) (primitive_type)] @name
  (pointer_declarator declarator: (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (type_identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
  (pointer_declarator declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))
  ]) @definition.type

(function_definition
  type: (_) @result
  declarator: [
    (function_declarator declarator: (identifier) @name parameters: (parameter_list) @parameters)
    (function_declarator declarator: (parenthesized_declarator (identifier) @name) parameters: (parameter_list) @parameters)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator
      declarator: (identifier) @name parameters: (parameter_list) @parameters))))
    (pointer_declarator declarator: (function_declarator
      declarator: (identifier) @name parameters: (parameter_list) @parameters))
    (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator
      declarator: (identifier) @name parameters: (parameter_list) @parameters)))]) @definition.function
; members
(field_declaration declarator: [
  (field_identifier) @name
  (array_declarator declarator: (field_identifier) @name)
  (array_declarator declarator: (array_declarator declarator: (field_identifier) @name))
  (pointer_declarator declarator: (field_identifier) @name)
  (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name)))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
  (pointer_declarator declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name))))]
  ) @definition.field
(enumerator name: (identifier) @name) @definition.constant

((preproc_def name: (identifier) @name) @definition.macro
  ; an include guard is none
  (#not-match? @name "_(H|HPP|HH|INC|INCLUDED|h|hpp|hh)_*$"))
(preproc_function_def name: (identifier) @name parameters: (_) @parameters) @definition.macro

; variables of the file, also in a conditional part of it
((translation_unit (declaration (storage_class_specifier)? @modifier declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (array_declarator declarator: (array_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  (pointer_declarator declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
  (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (array_declarator declarator: (array_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
    ])]) @definition.constant)
  (#not-match? @definition.constant "^extern\\b"))
((_ . ["#if" "#ifdef" "#ifndef" "#else"] (declaration (storage_class_specifier)? @modifier declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (array_declarator declarator: (array_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  (pointer_declarator declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
  (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (array_declarator declarator: (array_declarator declarator: (identifier) @name))
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
    ])]) @definition.constant)
  (#not-match? @definition.constant "^extern\\b"))

; comments
(comment) @comment

; words that matter to callers
(function_definition (storage_class_specifier) @modifier)

; parameters; `(void)` is none
((parameter_list . (parameter_declaration !declarator type: (_) @_type) @parameter.marker .) @parameters
  (#eq? @_type "void"))

; calls: by name, through a member, through a pointer
; (where a macro confuses the parser, words of the language look like calls)
((call_expression function: (identifier) @callee arguments: (argument_list) @arguments) @call
  (#not-match? @callee "^(if|for|while|switch|return|catch|else|operator)$"))
(call_expression
  function: (field_expression argument: (_) @receiver field: (field_identifier) @callee)
  arguments: (argument_list) @arguments) @call
(call_expression
  function: (parenthesized_expression (pointer_expression argument: (identifier) @callee))
  arguments: (argument_list) @arguments) @call

; flow
((expression_statement (call_expression function: (identifier) @_each)) . (compound_statement) @flow.loop
  (#match? @_each "[Ff][Oo][Rr]_?[Ee][Aa][Cc][Hh]"))
(for_statement condition: (_) @flow.loop)
(for_statement update: (_) @flow.loop)
(for_statement body: (_) @flow.loop)
(while_statement condition: (_) @flow.loop)
(while_statement body: (_) @flow.loop)
(do_statement body: (_) @flow.loop)
(do_statement condition: (_) @flow.loop)
(if_statement consequence: (_) @flow.branch)
(if_statement alternative: (_) @flow.branch)
(case_statement) @flow.branch
(conditional_expression consequence: (_) @flow.branch)
(conditional_expression alternative: (_) @flow.branch)

(binary_expression operator: ["&&" "||"] right: (_) @flow.branch)
(for_statement
  initializer: (_)? @order.first
  condition: (_)? @order.first
  update: (_)
  body: (_) @order.first) @order.scope

; errors: numbers and null pointers by convention
((return_statement (number_literal) @error.return) (#eq? @error.return "-1"))
((return_statement (unary_expression operator: "-" argument: (identifier) @error.return))
  (#match? @error.return "^E[A-Z0-9]+$"))
(return_statement (null) @error.return)
((assignment_expression left: (identifier) @_errno right: (identifier) @error.raise)
  (#eq? @_errno "errno") (#match? @error.raise "^E[A-Z0-9]+$"))
((call_expression function: (identifier) @error.raise) (#any-of? @error.raise "longjmp" "siglongjmp"))
((call_expression function: (identifier) @error.catch) (#any-of? @error.catch "setjmp" "sigsetjmp" "_setjmp"))
((return_statement (identifier) @error.propagate) (#any-of? @error.propagate "rc" "err" "error" "ret" "status"))
((goto_statement label: (_) @error.propagate) (#match? @error.propagate "^(err|error|fail|failed|failure|cleanup)"))
((call_expression function: (identifier) @error.panic)
  (#any-of? @error.panic "abort" "exit" "_exit" "_Exit" "quick_exit" "assert" "errx" "err"))

; imports
(preproc_include path: (string_literal (string_content) @import))
(preproc_include path: (system_lib_string) @import)

; bindings
(_
  declarator: (function_declarator parameters: (parameter_list (parameter_declaration
    type: (_) @binding.type
    declarator: [
      (identifier) @binding
      (pointer_declarator declarator: (identifier) @binding)
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @binding))])))
  body: (_))
(_
  declarator: (_ (function_declarator parameters: (parameter_list (parameter_declaration
    type: (_) @binding.type
    declarator: [
      (identifier) @binding
      (pointer_declarator declarator: (identifier) @binding)
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @binding))]))))
  body: (_))
(field_declaration
  type: (_) @binding.type
  declarator: [
    (field_identifier) @binding
    (pointer_declarator declarator: (field_identifier) @binding)])
(declaration
  type: [(type_identifier) @binding.type (struct_specifier name: (_) @binding.type)]
  declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)
    (init_declarator declarator: (identifier) @binding)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @binding))])
