(field_definition property: (_) @name value: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)]) @definition.function
(field_definition property: (_) @name) @definition.field
(field_definition "static" @modifier)
(field_definition property: (_) @binding value: (new_expression constructor: (_) @binding.value))
(class_heritage (_) @extends)
(formal_parameters (assignment_pattern) @parameter.optional) @parameters
(formal_parameters (rest_pattern) @parameter.variadic) @parameters

; A component in markup is called where it stands.
((jsx_element open_tag: (jsx_opening_element name: (identifier) @callee)) @call (#match? @callee "^[A-Z]"))
((jsx_self_closing_element name: (identifier) @callee) @call (#match? @callee "^[A-Z]"))

(call_expression function: (member_expression property: (property_identifier) @_catch) arguments: (arguments . (arrow_function parameters: (formal_parameters . (identifier) @error.variable)) @error.handler)
  (#eq? @_catch "catch"))
(call_expression function: (member_expression object: (_) @binding.element property: (property_identifier) @_each)
  arguments: (arguments . [(arrow_function parameters: (formal_parameters . (identifier) @binding)) (function_expression parameters: (formal_parameters . (identifier) @binding))])
  (#any-of? @_each "forEach" "map" "filter" "find" "findIndex" "findLast" "some" "every" "flatMap"))

; What a function gives that ends with `return new X()`, when it declares nothing.
(method_definition name: (_) @name body: (statement_block (return_statement (new_expression constructor: (_) @result)) .))
(function_declaration name: (_) @name body: (statement_block (return_statement (new_expression constructor: (_) @result)) .))
(variable_declarator name: (identifier) @name value: (arrow_function body: [(new_expression constructor: (_) @result) (statement_block (return_statement (new_expression constructor: (_) @result)) .)]))
